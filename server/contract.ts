/** The renderer's one door into the server's code: types, and the pure functions that keep a snapshot current. */
import type { EventOf, ParleyEvent } from './events/union.ts'
import { applyToBots } from './features/bots/apply.ts'
import type { BotObject } from './features/bots/present.ts'
import {
  applyToChannels,
  applyToSubscriptions,
  dropFromChannels,
  dropFromSubscriptions,
  noteFirstMessage,
} from './features/channels/apply.ts'
import type { ChannelObject } from './features/channels/present.ts'
import type { SubscriptionSnapshot } from './features/channels/snapshot.ts'
import type { DefaultChannelGroup } from './features/default-channel-groups/store.ts'
import { applyToDomains } from './features/domains/apply.ts'
import type { RealmDomain } from './features/domains/store.ts'
import { applyToDrafts } from './features/drafts/apply.ts'
import type { DraftObject } from './features/drafts/present.ts'
import type { EmojiObject } from './features/emoji/present.ts'
import { applyToStarred } from './features/messages/apply.ts'
import { applyToUnread, type UnreadSnapshot } from './features/messages/unread-counts.ts'
import { applyToRealm, dropFromRealm } from './features/realms/apply.ts'
import type { RealmPart, realmSnapshot } from './features/realms/snapshot.ts'
import { applyToSnippets } from './features/saved-snippets/apply.ts'
import type { SavedSnippet } from './features/saved-snippets/store.ts'
import { applyToScheduled } from './features/scheduled-messages/apply.ts'
import type { ScheduledMessage } from './features/scheduled-messages/present.ts'
import { applyToStatuses, dropStatus } from './features/user-status/apply.ts'
import type { StatusObject } from './features/user-status/present.ts'
import { applyToUserTopics, renameChannel, type UserTopic } from './features/user-topics/apply.ts'
import { applyToGroups, dropFromGroups } from './features/user-groups/apply.ts'
import type { GroupObject } from './features/user-groups/present.ts'
import { applyToOwnUser, applyToUsers, dropProfileValues, type OwnUserPart } from './features/users/apply.ts'
import type { UserSnapshot } from './features/users/snapshot.ts'

export type { StorageState } from './db/keeper.ts'
export type { QueueInfo, Rate, TailEntry } from './features/admin/activity-feed.ts'
export { latencySteps } from './features/admin/latency-steps.ts'
export type { RealmInfo } from './features/admin/present.ts'
export type { BotObject } from './features/bots/present.ts'
export type { ChannelObject, SubscriptionObject } from './features/channels/present.ts'
export type { WatchedFile } from './features/emoji/watched-folder.ts'
export type { FoundEmoji, ImportOutcome } from './features/emoji/zip-import.ts'
export type { RealmExport } from './features/exports/events.ts'
export type { InvitationObject } from './features/invitations/present.ts'
export type { LinkifierObject } from './features/linkifiers/store.ts'
export type { ProfileFieldObject } from './features/profile-fields/present.ts'
export type { GroupObject } from './features/user-groups/present.ts'
export type {
  ChannelPermission,
  GroupPermission,
  GroupSettingValue,
  PermissionSetting,
  RealmPermission,
} from './features/user-groups/settings.ts'
export type { UserObject } from './features/users/present.ts'
export type { EmojiObject, ParleyEvent, SubscriptionSnapshot, UserSnapshot }
/** All that comes with the fetch type `realm`: settings, and facts of the server that do not change while it runs. */
export type RealmSnapshot = ReturnType<typeof realmSnapshot>
export { applyToChannels, applyToGroups, applyToSubscriptions, applyToUsers }

/** What a client that follows the organization, its users and its channels keeps of the register response. */
export interface OrganizationSnapshot extends UserSnapshot, SubscriptionSnapshot, RealmPart {
  streams: ChannelObject[]
  realm_user_groups: GroupObject[]
  realm_default_streams: number[]
  realm_domains: RealmDomain[]
  realm_default_stream_groups: DefaultChannelGroup[]
  /** By id. */
  realm_emoji: Record<string, EmojiObject>
}

/** The fetch types that bring an {@link OrganizationSnapshot}, and the events that change it. */
export const organizationTypes = [
  'realm',
  'realm_user',
  'subscription',
  'stream',
  'default_streams',
  'realm_user_groups',
  'realm_domains',
  'default_stream_groups',
  'realm_emoji',
] as const

type AnyEvent = ParleyEvent | { type: 'heartbeat' }

/**
 * The snapshot after an event. A `heartbeat` and events of other parts change nothing.
 * @param me id of the user whose snapshot it is
 */
export function applyToOrganization(
  kept: OrganizationSnapshot,
  event: AnyEvent,
  me: number,
): OrganizationSnapshot {
  switch (event.type) {
    case 'realm_user':
      return dropDeactivated({ ...kept, ...applyToUsers(kept, event) }, event)
    case 'default_streams':
      return { ...kept, realm_default_streams: event.default_streams }
    case 'user_group':
      return { ...kept, realm_user_groups: applyToGroups(kept.realm_user_groups, event) }
    case 'stream':
      return {
        ...kept,
        ...applyToSubscriptions(kept, event, me),
        streams: applyToChannels(kept.streams, event),
      }
    case 'subscription':
      return { ...kept, ...applyToSubscriptions(kept, event, me) }
    case 'realm_domains':
      return { ...kept, realm_domains: applyToDomains(kept.realm_domains, event) }
    case 'default_stream_groups':
      return { ...kept, realm_default_stream_groups: event.default_stream_groups }
    case 'realm':
      return { ...kept, ...applyToRealm(kept, event) }
    case 'realm_emoji':
      return { ...kept, realm_emoji: event.realm_emoji }
    case 'custom_profile_fields':
      return { ...kept, ...dropProfileValues(kept, event) }
    default:
      return kept
  }
}

/**
 * Everything of the register response that events keep current. What they do not tell of is left out: times of
 * presence, a channel's traffic, what only follows from other parts.
 */
export interface Snapshot extends OrganizationSnapshot, OwnUserPart {
  alert_words: string[]
  custom_profile_fields: EventOf<'custom_profile_fields'>['fields']
  drafts: DraftObject[]
  has_call_token: boolean
  muted_topics: EventOf<'muted_topics'>['muted_topics']
  muted_users: EventOf<'muted_users'>['muted_users']
  onboarding_steps: EventOf<'onboarding_steps'>['onboarding_steps']
  realm_bots: BotObject[]
  realm_linkifiers: EventOf<'realm_linkifiers'>['realm_linkifiers']
  realm_playgrounds: EventOf<'realm_playgrounds'>['realm_playgrounds']
  realm_user_settings_defaults: Record<string, unknown>
  saved_snippets: SavedSnippet[]
  scheduled_messages: ScheduledMessage[]
  starred_messages: number[]
  unread_msgs: UnreadSnapshot
  user_settings: Record<string, unknown>
  user_status: Record<string, StatusObject>
  user_topics: UserTopic[]
}

/** {@link applyToOrganization} for all parts. */
export function applyEvent(kept: Snapshot, event: AnyEvent, me: number): Snapshot {
  const next: Snapshot = { ...kept, ...applyToOrganization(kept, event, me) }
  switch (event.type) {
    case 'realm_user':
      return {
        ...next,
        ...applyToOwnUser(next, event, me),
        ...(isDeactivation(event) ? dropFromRealm(next, event.person.user_id) : {}),
        user_status: dropStatus(next.user_status, event),
      }
    case 'alert_words':
      return { ...next, alert_words: event.alert_words }
    case 'custom_profile_fields':
      return { ...next, custom_profile_fields: event.fields }
    case 'drafts':
      return { ...next, drafts: applyToDrafts(next.drafts, event) }
    case 'has_call_token':
      return { ...next, has_call_token: event.value }
    case 'muted_topics':
      return { ...next, muted_topics: event.muted_topics }
    case 'muted_users':
      return { ...next, muted_users: event.muted_users }
    case 'onboarding_steps':
      return { ...next, onboarding_steps: event.onboarding_steps }
    case 'realm_bot':
      return { ...next, realm_bots: applyToBots(next.realm_bots, event) }
    case 'realm_linkifiers':
      return { ...next, realm_linkifiers: event.realm_linkifiers }
    case 'realm_playgrounds':
      return { ...next, realm_playgrounds: event.realm_playgrounds }
    case 'realm_user_settings_defaults':
      return {
        ...next,
        realm_user_settings_defaults: { ...next.realm_user_settings_defaults, [event.property]: event.value },
      }
    case 'saved_snippets':
      return { ...next, saved_snippets: applyToSnippets(next.saved_snippets, event) }
    case 'scheduled_messages':
      return { ...next, scheduled_messages: applyToScheduled(next.scheduled_messages, event) }
    case 'message':
      return {
        ...next,
        subscriptions: noteFirstMessage(next.subscriptions, event),
        unread_msgs: applyToUnread(next.unread_msgs, event, me),
      }
    case 'update_message':
      return { ...next, unread_msgs: applyToUnread(next.unread_msgs, event, me) }
    case 'update_message_flags':
    case 'delete_message':
      return {
        ...next,
        starred_messages: applyToStarred(next.starred_messages, event),
        unread_msgs: applyToUnread(next.unread_msgs, event, me),
      }
    case 'user_settings':
      return {
        ...next,
        user_settings: { ...next.user_settings, [event.property]: event.value },
        // Whoever keeps drafts on the devices alone has none here any more.
        ...(event.property === 'enable_drafts_synchronization' && !event.value ? { drafts: [] } : {}),
      }
    // For clients without `user_settings_object`, which have the settings one by one.
    case 'update_display_settings':
      return { ...next, [event.setting_name]: event.setting }
    case 'update_global_notifications':
      return { ...next, [event.notification_name]: event.setting }
    case 'user_status':
      return { ...next, user_status: applyToStatuses(next.user_status, event) }
    case 'stream':
      if (event.op === 'delete') {
        const gone = new Set(event.stream_ids)
        return {
          ...next,
          unread_msgs: applyToUnread(next.unread_msgs, event, me),
          user_topics: next.user_topics.filter(({ stream_id }) => !gone.has(stream_id)),
        }
      }
      return event.op === 'update' && event.property === 'name'
        ? { ...next, muted_topics: renameChannel(next.muted_topics, event.name, String(event.value)) }
        : next
    case 'user_topic':
      return { ...next, user_topics: applyToUserTopics(next.user_topics, event) }
    case 'default_streams':
    case 'user_group':
    case 'subscription':
    case 'realm_domains':
    case 'default_stream_groups':
    case 'realm':
    case 'realm_emoji':
    // Nothing of the register response follows from these.
    case 'realm_export':
    case 'realm_export_consent':
    case 'submessage':
    case 'typing':
    case 'typing_edit_message':
    case 'restart':
    case 'web_reload_client':
    case 'reaction':
    case 'presence':
    case 'attachment':
    case 'invites_changed':
    case 'heartbeat':
      return next
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

/** A deactivated user is in no group and among no subscribers any more, of which no further event tells. */
function dropDeactivated(kept: OrganizationSnapshot, event: EventOf<'realm_user'>): OrganizationSnapshot {
  const { person } = event
  if (!isDeactivation(event)) return kept
  return {
    ...kept,
    ...dropFromSubscriptions(kept, person.user_id),
    streams: dropFromChannels(kept.streams, person.user_id),
    realm_user_groups: dropFromGroups(kept.realm_user_groups, person.user_id),
  }
}

const isDeactivation = ({ person }: EventOf<'realm_user'>): boolean =>
  'is_active' in person && !person.is_active
