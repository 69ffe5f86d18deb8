/** Channels and subscriptions as clients see them (specification, "Channel and subscription object"). */
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'
import type { Reader } from '../../db/transaction.ts'
import {
  channelPermissionNames,
  type ChannelPermission,
  type GroupSettingValue,
} from '../user-groups/settings.ts'
import { GroupSetting, presentValue } from '../user-groups/setting-param.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { type Channel, dayOf, type SubscriptionRow, type Traffic } from './store.ts'

const groupSettings = Object.fromEntries(
  channelPermissionNames.map((name) => [name, GroupSetting]),
) as Record<ChannelPermission, typeof GroupSetting>

export const ChannelObject = z.strictObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  message_retention_days: z.int().nullable(),
  first_message_id: z.int().nullable(),
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  stream_post_policy: z.literal([1, 2, 3, 4]),
  is_announcement_only: z.boolean(),
  ...groupSettings,
})
export type ChannelObject = z.output<typeof ChannelObject>

export const SubscriptionObject = z.strictObject({
  ...ChannelObject.shape,
  subscribers: z.array(z.int()).optional(),
  desktop_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  color: z.string(),
})
export type SubscriptionObject = z.output<typeof SubscriptionObject>

/** What is needed beside a channel's row to present it. */
export interface Surroundings {
  db: Reader
  /** UNIX seconds. */
  now: number
  traffic: ReadonlyMap<number, Traffic>
  /** Ids of the system groups that the deprecated posting policies stand for. */
  postPolicies: ReadonlyMap<number, 2 | 3 | 4>
}

export function presentChannel(channel: Channel, around: Surroundings): ChannelObject {
  const canSend = parseGroupSetting(channel.can_send_message_group)
  const policy = typeof canSend === 'number' ? (around.postPolicies.get(canSend) ?? 1) : 1
  const permissions = Object.fromEntries(
    channelPermissionNames.map((name) => [name, presentValue(around.db, parseGroupSetting(channel[name]))]),
  ) as Record<ChannelPermission, GroupSettingValue>
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.rendered_description,
    date_created: channel.date_created,
    creator_id: channel.creator_id,
    invite_only: channel.invite_only === 1,
    is_web_public: channel.is_web_public === 1,
    history_public_to_subscribers: channel.history_public_to_subscribers === 1,
    is_archived: channel.is_archived === 1,
    message_retention_days: channel.message_retention_days,
    first_message_id: channel.first_message_id,
    is_recently_active: isRecentlyActive(channel, around),
    stream_weekly_traffic: weeklyTraffic(channel, around),
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    ...permissions,
  }
}

/**
 * @param channel as presented: it is the same to all its subscribers
 * @param subscribers ids of the subscribers; undefined leaves them out
 */
export function presentSubscription(
  channel: ChannelObject,
  row: SubscriptionRow,
  subscribers: number[] | undefined,
): SubscriptionObject {
  return {
    ...channel,
    ...(subscribers ? { subscribers } : {}),
    desktop_notifications: optional(row.desktop_notifications),
    email_notifications: optional(row.email_notifications),
    push_notifications: optional(row.push_notifications),
    audible_notifications: optional(row.audible_notifications),
    wildcard_mentions_notify: optional(row.wildcard_mentions_notify),
    pin_to_top: row.pin_to_top === 1,
    is_muted: row.is_muted === 1,
    in_home_view: row.is_muted === 0,
    color: row.color,
  }
}

/** What the settings of a subscription follow where nothing was chosen for it. */
export function inheritedBy(user: Pick<Row<'users'>, 'settings'>) {
  const settings = settingsOf(user)
  return {
    desktop_notifications: settings.enable_stream_desktop_notifications,
    email_notifications: settings.enable_stream_email_notifications,
    push_notifications: settings.enable_stream_push_notifications,
    audible_notifications: settings.enable_stream_audible_notifications,
    wildcard_mentions_notify: settings.wildcard_mentions_notify,
  }
}
export type Inherited = ReturnType<typeof inheritedBy>

/** A subscription for clients that do not know that null means inherited. */
export function withInherited<One extends { [Name in keyof Inherited]: boolean | null }>(
  subscription: One,
  inherited: Inherited,
): One {
  const filled = Object.entries(inherited).map(([name, value]) => [
    name,
    subscription[name as keyof Inherited] ?? value,
  ])
  return { ...subscription, ...(Object.fromEntries(filled) as Inherited) }
}

const optional = (stored: 0 | 1 | null): boolean | null => (stored === null ? null : stored === 1)

/** How long a channel counts as active after its last message, or its making. */
export const ACTIVE_DAYS = 180

function isRecentlyActive(channel: Channel, { now, traffic }: Surroundings): boolean {
  const last = Math.max(traffic.get(channel.id)?.lastDay ?? 0, dayOf(channel.date_created))
  return dayOf(now) - last <= ACTIVE_DAYS
}

/** Messages a week over the last four, or over its life where that is shorter; unknown in its first week. */
function weeklyTraffic(channel: Channel, { now, traffic }: Surroundings): number | null {
  const ageInDays = dayOf(now) - dayOf(channel.date_created)
  if (ageInDays < 7) return null
  const messages = traffic.get(channel.id)?.messages ?? 0
  return Math.ceil((messages * 7) / Math.min(ageInDays, 28))
}
