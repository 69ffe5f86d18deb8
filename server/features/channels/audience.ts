/** Who hears of a channel. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { tellOfNothingUnreadIn, tellOfUnreadIn } from '../messages/flag-actions.ts'
import { holdersOf } from '../user-groups/access.ts'
import type { ChannelPermission } from '../user-groups/settings.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { isAdministrator, isGuest } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import type { Channel } from './store.ts'
import { subscriberIds } from './store.ts'

/** Permissions whose holders know of a private channel, or read it, without being subscribed. */
export const opening: Record<'see' | 'read', readonly ChannelPermission[]> = {
  see: ['can_administer_channel_group', 'can_add_subscribers_group', 'can_subscribe_group'],
  read: ['can_add_subscribers_group', 'can_subscribe_group'],
}

/**
 * Ids of the active users who may know of a channel and who is subscribed to it: `ChannelAccess.maySee`
 * for everybody at once.
 */
export const idsWhoMaySee = (ctx: RealmContext, db: Reader, channel: Channel): Set<number> =>
  idsToWhomOpen(ctx, db, channel, 'see')

/** Ids of the active users who may read what is written there: `ChannelAccess.mayRead` for everybody at once. */
export const idsWhoMayRead = (ctx: RealmContext, db: Reader, channel: Channel): Set<number> =>
  idsToWhomOpen(ctx, db, channel, 'read')

function idsToWhomOpen(ctx: RealmContext, db: Reader, channel: Channel, to: 'see' | 'read'): Set<number> {
  const subscribers = subscriberIds(db, channel.id)
  const people = activePeople(db)
  if (channel.is_web_public) return new Set(people.map(({ id }) => id))
  const members = people.filter((person) => !isGuest(person))
  const ids = new Set(subscribers)
  if (!channel.invite_only) {
    for (const { id } of members) ids.add(id)
    return ids
  }
  if (to === 'see') for (const person of members) if (isAdministrator(person)) ids.add(person.id)
  for (const permission of opening[to]) {
    const value = parseGroupSetting(channel[permission])
    for (const id of holdersOf(db, ctx.realm, value, members, ctx.server.now() / 1000)) ids.add(id)
  }
  return ids
}

/** Who may know of a channel and who may read it, at one moment. Where it is not private they are the same. */
export function reachOfChannel(ctx: RealmContext, db: Reader, channel: Channel) {
  const see = idsWhoMaySee(ctx, db, channel)
  return { see, read: channel.invite_only ? idsWhoMayRead(ctx, db, channel) : see }
}
type ChannelReach = ReturnType<typeof reachOfChannel>

/**
 * Tells those who know of a channel before and after that it closed to them or opened, as far as it is about what they
 * have not read: to others the channel itself comes or goes.
 */
export function tellOfReading(tx: Tx, channelId: number, before: ChannelReach, now: ChannelReach): void {
  const staying = [...now.see].filter((id) => before.see.has(id))
  const closed = staying.filter((id) => before.read.has(id) && !now.read.has(id))
  const opened = staying.filter((id) => !before.read.has(id) && now.read.has(id))
  tellOfNothingUnreadIn(tx, channelId, closed)
  tellOfUnreadIn(tx, channelId, opened)
}
