/** The channels a client starts with: its part of the register response. */
import type { RealmContext } from '../../context.ts'
import type { User } from '../users/access.ts'
import { ChannelAccess } from './access.ts'
import { surroundings } from './actions.ts'
import {
  type ChannelObject,
  inheritedBy,
  presentChannel,
  presentSubscription,
  type SubscriptionObject,
  withInherited,
} from './present.ts'
import {
  allChannels,
  type Channel,
  subscriberIdsByChannel,
  type SubscriptionRow,
  subscriptionsOf,
} from './store.ts'

export interface SubscriptionSnapshot {
  subscriptions: SubscriptionObject[]
  unsubscribed: SubscriptionObject[]
  never_subscribed: (ChannelObject & { subscribers?: number[] })[]
}

/** The channels that a user may know of, presented once for every part of a snapshot they stand in. */
export type Sight = readonly {
  channel: Channel
  presented: ChannelObject
  row: SubscriptionRow | undefined
}[]

export function sightOf(ctx: RealmContext, me: User): Sight {
  const access = new ChannelAccess(ctx, ctx.db, me)
  const around = surroundings(ctx.db, ctx.server.now() / 1000)
  const rows = subscriptionsOf(ctx.db, me.id)
  return allChannels(ctx.db).flatMap((channel) => {
    const row = rows.get(channel.id)
    if (!access.maySee(channel, row?.is_active === 1)) return []
    return [{ channel, presented: presentChannel(channel, around), row }]
  })
}

export function subscriptionSnapshot(
  ctx: RealmContext,
  me: User,
  sight: Sight,
  options: { includeSubscribers: boolean; archivedChannels: boolean; nullInherits: boolean },
): SubscriptionSnapshot {
  const subscribers = options.includeSubscribers ? subscriberIdsByChannel(ctx.db) : undefined
  const inherited = options.nullInherits ? undefined : inheritedBy(me)
  const snapshot: SubscriptionSnapshot = { subscriptions: [], unsubscribed: [], never_subscribed: [] }
  for (const { channel, presented, row } of sight) {
    if (channel.is_archived && !options.archivedChannels) continue
    const listed = subscribers && (subscribers.get(channel.id) ?? [])
    if (row) {
      const list = row.is_active ? snapshot.subscriptions : snapshot.unsubscribed
      const subscription = presentSubscription(presented, row, listed)
      list.push(inherited ? withInherited(subscription, inherited) : subscription)
    } else {
      snapshot.never_subscribed.push({ ...presented, ...(listed ? { subscribers: listed } : {}) })
    }
  }
  return snapshot
}

/** Every active channel the user may know of. */
export const channelSnapshot = (sight: Sight): ChannelObject[] =>
  sight.flatMap(({ channel, presented }) => (channel.is_archived ? [] : [presented]))

/** The active web-public channels: what somebody without an account may know of. */
export function webPublicSnapshot(ctx: RealmContext): ChannelObject[] {
  const around = surroundings(ctx.db, ctx.server.now() / 1000)
  return allChannels(ctx.db)
    .filter((channel) => channel.is_web_public && !channel.is_archived)
    .map((channel) => presentChannel(channel, around))
}
