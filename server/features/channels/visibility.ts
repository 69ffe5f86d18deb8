/** Channels that come into somebody's sight, or go out of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { parseGroupSetting, reachOf } from '../user-groups/store.ts'
import type { User } from '../users/access.ts'
import { usersByIds } from '../users/store.ts'
import { ChannelAccess } from './access.ts'
import { opening } from './audience.ts'
import { announceCreated, announceDeleted } from './actions.ts'
import { allChannels, type Channel, subscriberIds, subscriptionsOf } from './store.ts'

/** Tells users that a channel is there for them now, with its subscribers, or is not any more. */
export function announceSight(
  ctx: RealmContext,
  tx: Tx,
  channel: Channel,
  { gained, lost }: { gained: readonly number[]; lost: readonly number[] },
): void {
  if (gained.length > 0 && !channel.is_archived) {
    announceCreated(ctx, tx, [...gained], channel)
    const user_ids = subscriberIds(tx, channel.id)
    if (user_ids.length > 0) {
      tx.emit(
        { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids },
        { to: [...gained] },
      )
    }
  }
  if (lost.length > 0) announceDeleted(ctx, tx, [...lost], channel)
}

/** Makes a change of somebody's role, and tells them of the channels that it shows them or hides. */
export const watchingSightOf = (ctx: RealmContext, tx: Tx, userId: number, change: () => void): void =>
  watchingSight(ctx, tx, [userId], activeChannels(tx), change)

/**
 * Makes a change of who is in a group, and tells those of the channels that it shows them or hides.
 * @param userIds who enters the group or leaves it, asked for only where a channel depends on the group
 */
export function watchingSightBy(
  ctx: RealmContext,
  tx: Tx,
  groupId: number,
  userIds: () => readonly number[],
  change: () => void,
): void {
  const dependsOnGroup = (channel: Channel) =>
    opening.see.some((name) => {
      const value = parseGroupSetting(channel[name])
      const roots = typeof value === 'number' ? [value] : value.direct_subgroups
      return roots.some((id) => reachOf(tx, id).ids.has(groupId))
    })
  const channels = activeChannels(tx).filter(
    (channel) => channel.invite_only === 1 && dependsOnGroup(channel),
  )
  if (channels.length === 0) change()
  else watchingSight(ctx, tx, userIds(), channels, change)
}

const activeChannels = (tx: Tx): Channel[] => allChannels(tx).filter((channel) => !channel.is_archived)

/**
 * Tells members of the channels that open to them, or close, by the waiting period alone: no row of theirs changes.
 * @param before the organization as it was, or the time
 */
export function announceSightSince(
  before: RealmContext,
  now: RealmContext,
  tx: Tx,
  userIds: readonly number[],
): void {
  const users = usersByIds(tx, userIds)
  const channels = activeChannels(tx).filter((channel) => channel.invite_only === 1)
  const views = users.map((user) => ({
    id: user.id,
    saw: visibleIds(before, tx, user, channels),
    sees: visibleIds(now, tx, user, channels),
  }))
  for (const channel of channels) {
    const changed = views.filter(({ saw, sees }) => saw.has(channel.id) !== sees.has(channel.id))
    announceSight(now, tx, channel, {
      gained: changed.filter(({ sees }) => sees.has(channel.id)).map(({ id }) => id),
      lost: changed.filter(({ saw }) => saw.has(channel.id)).map(({ id }) => id),
    })
  }
}

function watchingSight(
  ctx: RealmContext,
  tx: Tx,
  userIds: readonly number[],
  channels: readonly Channel[],
  change: () => void,
): void {
  const visible = () =>
    new Map(usersByIds(tx, userIds).map((user) => [user.id, visibleIds(ctx, tx, user, channels)]))
  const before = visible()
  change()
  const after = visible()
  for (const channel of channels) {
    const saw = (id: number) => before.get(id)?.has(channel.id) ?? false
    const sees = (id: number) => after.get(id)?.has(channel.id) ?? false
    announceSight(ctx, tx, channel, {
      gained: userIds.filter((id) => sees(id) && !saw(id)),
      lost: userIds.filter((id) => saw(id) && !sees(id)),
    })
  }
}

function visibleIds(ctx: RealmContext, tx: Tx, user: User, channels: readonly Channel[]): Set<number> {
  const access = new ChannelAccess(ctx, tx, user)
  const subscriptions = subscriptionsOf(tx, user.id)
  return new Set(
    channels
      .filter((channel) => access.maySee(channel, subscriptions.get(channel.id)?.is_active === 1))
      .map(({ id }) => id),
  )
}
