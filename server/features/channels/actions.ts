/** What changes about channels and subscriptions, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { bit, type Row } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { renderMarkdown } from '../../services/markdown.ts'
import { closeSpans, conversationOfChannel, openSpans } from '../messages/conversations.ts'
import { tellOfUnreadIn } from '../messages/flag-actions.ts'
import { watchAccess } from '../users/announce.ts'
import { leaveGroups } from '../default-channel-groups/actions.ts'
import { defaultChannelGroupsFor } from '../default-channel-groups/store.ts'
import {
  type ChannelPermission,
  channelPermissionNames,
  channelPermissions,
  type GroupSettingValue,
} from '../user-groups/settings.ts'
import { namesUser, presentValue } from '../user-groups/setting-param.ts'
import { parseGroupSetting, systemGroupId, systemGroupIds } from '../user-groups/store.ts'
import { isGuest } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import { tellOfTopicsGone, tellOfTopicsIn } from '../user-topics/actions.ts'
import { idsWhoMaySee, reachOfChannel, tellOfReading } from './audience.ts'
import { inheritedBy, presentChannel, presentSubscription, type Surroundings } from './present.ts'
import {
  allChannels,
  type Channel,
  channelById,
  channelByName,
  channelNameKey,
  defaultChannels,
  endSubscriptions,
  subscriberIds,
  subscriptionRowsOf,
  subscriptionsOf,
  trafficByChannel,
  updateChannel,
  upsertSubscriptions,
  usedColors,
} from './store.ts'

/** The topic of a channel in which the notification bot tells of the channel itself. */
export const EVENTS_TOPIC = 'channel events'

export interface NewChannel {
  name: string
  description?: string
  creator_id: number | null
  invite_only?: boolean
  is_web_public?: boolean
  history_public_to_subscribers?: boolean
  is_default?: boolean
  message_retention_days?: number | null
  permissions?: Partial<Record<ChannelPermission, GroupSettingValue>>
  /** UNIX seconds; now when left out. */
  date_created?: number
}

/** What is needed to present any channel of the realm at this moment. */
export function surroundings(db: Reader, now: number): Surroundings {
  const groups = systemGroupIds(db)
  return {
    db,
    now,
    traffic: trafficByChannel(db, now),
    postPolicies: new Map([
      [groups.get('role:administrators') ?? 0, 2],
      [groups.get('role:fullmembers') ?? 0, 3],
      [groups.get('role:moderators') ?? 0, 4],
    ]),
  }
}

/** Creates a channel without subscribers and tells everybody who may know of it. */
export function createChannel(ctx: RealmContext, tx: Tx, fields: NewChannel): Channel {
  const { name, description = '', invite_only = false, is_web_public = false, permissions = {} } = fields
  if (channelByName(tx, name)) throw new BadRequestError(`Channel '${name}' already exists`)
  const groups = Object.fromEntries(
    channelPermissionNames.map((permission) => [
      permission,
      JSON.stringify(permissions[permission] ?? defaultPermission(tx, permission, fields.creator_id)),
    ]),
  ) as Record<ChannelPermission, string>
  const id = tx.insert('channels', {
    name,
    name_key: channelNameKey(name),
    description,
    rendered_description: renderMarkdown(description),
    date_created: fields.date_created ?? tx.now,
    creator_id: fields.creator_id,
    invite_only: bit(invite_only),
    is_web_public: bit(is_web_public),
    history_public_to_subscribers: bit(fields.history_public_to_subscribers ?? !invite_only),
    is_default: 0,
    message_retention_days: fields.message_retention_days ?? null,
    ...groups,
  })
  tx.insert('conversations', { channel_id: id, dm_key: null })
  const channel = existing(tx, id)
  announceCreated(ctx, tx, [...idsWhoMaySee(ctx, tx, channel)], channel)
  if (fields.is_default) setDefault(tx, channel, true)
  return channel
}

function defaultPermission(
  tx: Tx,
  permission: ChannelPermission,
  creatorId: number | null,
): GroupSettingValue {
  const group = channelPermissions[permission].default_group_name
  if (group !== 'channel_creator') return systemGroupId(tx, group)
  if (creatorId === null) return systemGroupId(tx, 'role:nobody')
  return { direct_members: [creatorId], direct_subgroups: [] }
}

export function announceCreated(ctx: RealmContext, tx: Tx, to: number[], channel: Channel): void {
  tx.emit(
    { type: 'stream', op: 'create', streams: [presentChannel(channel, surroundings(tx, tx.now))] },
    { to },
  )
  tellOfUnreadIn(tx, channel.id, to)
  tellOfTopicsIn(ctx, tx, channel.id, to)
}

/**
 * Subscribes users who are not yet subscribed.
 * @param around what presenting channels needs, where several are subscribed to at once
 * @returns those it did subscribe
 */
export function subscribe(
  ctx: RealmContext,
  tx: Tx,
  channel: Channel,
  users: readonly Row<'users'>[],
  around: Surroundings = surroundings(tx, tx.now),
): Row<'users'>[] {
  const before = subscriptionRowsOf(tx, channel.id)
  const added = users.filter((user) => before.get(user.id)?.is_active !== 1)
  if (added.length === 0) return []
  const addedIds = new Set(added.map(({ id }) => id))
  const reach = reachOfChannel(ctx, tx, channel)
  const sawBefore = reach.see
  const conversationId = conversationOfChannel(tx, channel.id)
  const colorsOf = usedColors(tx, [...addedIds])
  const tellOfAccess = watchAccess(ctx, tx, [...addedIds, ...subscriberIds(tx, channel.id)])
  const colorOf = new Map([...addedIds].map((id) => [id, pickColor(colorsOf.get(id) ?? [])]))
  upsertSubscriptions(tx, colorOf, channel.id)
  openSpans(tx, [...addedIds], conversationId)
  tellOfAccess()
  // A client cannot make sense of a subscription to a channel it has not heard of.
  const newcomers = [...addedIds].filter((id) => !sawBefore.has(id))
  if (newcomers.length > 0) announceCreated(ctx, tx, newcomers, channel)
  const subscribers = subscriberIds(tx, channel.id)
  const rows = subscriptionRowsOf(tx, channel.id)
  const presented = presentChannel(channel, around)
  for (const user of added) {
    const row = rows.get(user.id)
    if (!row) continue
    const subscriptions = [presentSubscription(presented, row, subscribers)]
    const audience = { to: [user.id], inherited: inheritedBy(user) }
    tx.emit({ type: 'subscription', op: 'add', subscriptions }, audience)
  }
  // Nobody else sees the channel for it.
  const to = [...sawBefore].filter((id) => !addedIds.has(id))
  const user_ids = [...addedIds]
  tx.emit({ type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids }, { to })
  if (channel.invite_only) tellOfReading(tx, channel.id, reach, reachOfChannel(ctx, tx, channel))
  return added
}

/**
 * Ends the subscriptions of users who have one.
 * @returns those it did unsubscribe
 */
export function unsubscribe(
  ctx: RealmContext,
  tx: Tx,
  channel: Channel,
  users: readonly Row<'users'>[],
): Row<'users'>[] {
  const before = subscriptionRowsOf(tx, channel.id)
  const removed = users.filter((user) => before.get(user.id)?.is_active === 1)
  if (removed.length === 0) return []
  const removedIds = removed.map(({ id }) => id)
  const left = new Set(removedIds)
  const conversationId = conversationOfChannel(tx, channel.id)
  const reach = reachOfChannel(ctx, tx, channel)
  const tellOfAccess = watchAccess(ctx, tx, subscriberIds(tx, channel.id))
  endSubscriptions(tx, removedIds, channel.id)
  closeSpans(tx, removedIds, conversationId)
  const subscriptions = [{ name: channel.name, stream_id: channel.id }]
  tx.emit({ type: 'subscription', op: 'remove', subscriptions }, { to: removedIds })
  const reachNow = reachOfChannel(ctx, tx, channel)
  const maySee = reachNow.see
  // Who goes alone knows; those who go together hear of each other.
  const peers = [...maySee].filter((id) => removedIds.length > 1 || !left.has(id))
  tx.emit(
    { type: 'subscription', op: 'peer_remove', stream_ids: [channel.id], user_ids: removedIds },
    { to: peers },
  )
  announceDeleted(
    ctx,
    tx,
    removedIds.filter((id) => !maySee.has(id)),
    channel,
  )
  tellOfReading(tx, channel.id, reach, reachNow)
  tellOfAccess()
  return removed
}

export function announceDeleted(ctx: RealmContext, tx: Tx, to: number[], channel: Channel): void {
  if (to.length === 0) return
  const stream_ids = [channel.id]
  tx.emit({ type: 'stream', op: 'delete', stream_ids, streams: [{ stream_id: channel.id }] }, { to })
  tellOfTopicsGone(ctx, tx, channel.id, to)
}

/** A reactivated user is among the subscribers again, and in the settings that name them: a deactivated one is not. */
export function announceReactivated(ctx: RealmContext, tx: Tx, userId: number): void {
  const subscriptions = subscriptionsOf(tx, userId)
  for (const channel of allChannels(tx)) {
    const isSubscribed = subscriptions.get(channel.id)?.is_active === 1
    const naming = channelPermissionNames.filter((name) =>
      namesUser(parseGroupSetting(channel[name]), userId),
    )
    if (!isSubscribed && naming.length === 0) continue
    const to = [...idsWhoMaySee(ctx, tx, channel)].filter((id) => id !== userId)
    if (isSubscribed) {
      tx.emit({ type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: [userId] }, { to })
    }
    for (const property of naming) {
      const value = presentValue(tx, parseGroupSetting(channel[property]))
      const { id: stream_id, name } = channel
      tx.emit({ type: 'stream', op: 'update', stream_id, name, property, value }, { to })
    }
  }
}

/** Makes it a channel that new users are subscribed to, or no longer one. Guests are not told: it is not for them. */
export function setDefault(tx: Tx, channel: Channel, isDefault: boolean): void {
  updateChannel(tx, channel.id, { is_default: bit(isDefault) })
  if (isDefault) leaveGroups(tx, channel.id)
  const default_streams = defaultChannelIds(tx)
  const to = activePeople(tx).filter((person) => !isGuest(person))
  tx.emit({ type: 'default_streams', default_streams }, { to: to.map(({ id }) => id) })
}

const defaultChannelIds = (tx: Tx): number[] => defaultChannels(tx).map(({ id }) => id)

/** Tells whoever became a guest, or is one no longer, what is offered to newcomers: to guests nothing. */
export function tellOfOffers(tx: Tx, user: Row<'users'>): void {
  const to = [user.id]
  tx.emit({ type: 'default_streams', default_streams: isGuest(user) ? [] : defaultChannelIds(tx) }, { to })
  const default_stream_groups = defaultChannelGroupsFor(tx, user)
  tx.emit({ type: 'default_stream_groups', default_stream_groups }, { to })
}

export function existing(tx: Tx, id: number): Channel {
  const channel = channelById(tx, id)
  if (!channel) throw new Error(`Channel ${id} vanished`)
  return channel
}

const colors = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
]

/** The next colour of the palette that the user's channels have not used yet. */
const pickColor = (used: readonly string[]): string =>
  colors.find((color) => !used.includes(color)) ?? colors[used.length % colors.length] ?? '#76ce90'
