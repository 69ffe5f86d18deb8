/** The renderer's one door into the server's code: types, and the pure functions that keep a snapshot current. */
import type { EventOf, ParleyEvent } from './events/union.ts'
import {
  applyToChannels,
  applyToSubscriptions,
  dropFromChannels,
  dropFromSubscriptions,
} from './features/channels/apply.ts'
import type { ChannelObject } from './features/channels/present.ts'
import type { SubscriptionSnapshot } from './features/channels/snapshot.ts'
import type { DefaultChannelGroup } from './features/default-channel-groups/store.ts'
import { applyToDomains } from './features/domains/apply.ts'
import type { RealmDomain } from './features/domains/store.ts'
import type { EmojiObject } from './features/emoji/present.ts'
import { applyToRealm } from './features/realms/apply.ts'
import type { RealmPart, realmSnapshot } from './features/realms/snapshot.ts'
import { applyToGroups, dropFromGroups } from './features/user-groups/apply.ts'
import type { GroupObject } from './features/user-groups/present.ts'
import { applyToUsers } from './features/users/apply.ts'
import type { UserSnapshot } from './features/users/snapshot.ts'

export type { StorageState } from './db/keeper.ts'
export type { QueueInfo, Rate, TailEntry } from './features/admin/activity-feed.ts'
export { latencySteps } from './features/admin/latency-steps.ts'
export type { RealmInfo } from './features/admin/present.ts'
export type { BotObject } from './features/bots/present.ts'
export type { ChannelObject, SubscriptionObject } from './features/channels/present.ts'
export type { WatchedFile } from './features/emoji/watched-folder.ts'
export type { RealmExport } from './features/exports/events.ts'
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
export interface Snapshot extends UserSnapshot, SubscriptionSnapshot, RealmPart {
  streams: ChannelObject[]
  realm_user_groups: GroupObject[]
  realm_default_streams: number[]
  realm_domains: RealmDomain[]
  realm_default_stream_groups: DefaultChannelGroup[]
  /** By id. */
  realm_emoji: Record<string, EmojiObject>
}

/** The fetch types that bring a {@link Snapshot}. */
export const snapshotTypes = [
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

/**
 * The snapshot after an event. A `heartbeat` and events of other parts change nothing.
 * @param me id of the user whose snapshot it is
 */
export function applyEvent(kept: Snapshot, event: ParleyEvent | { type: 'heartbeat' }, me: number): Snapshot {
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
    case 'realm_export':
    case 'realm_export_consent':
    case 'message':
    case 'update_message_flags':
    case 'update_message':
    case 'delete_message':
    case 'submessage':
    case 'alert_words':
    case 'realm_linkifiers':
    case 'realm_playgrounds':
    case 'typing':
    case 'typing_edit_message':
    case 'restart':
    case 'web_reload_client':
    case 'user_topic':
    case 'muted_topics':
    case 'scheduled_messages':
    case 'reaction':
    case 'muted_users':
    case 'user_status':
    case 'presence':
    case 'drafts':
    case 'saved_snippets':
    case 'onboarding_steps':
    case 'has_call_token':
    case 'attachment':
    case 'user_settings':
    case 'update_display_settings':
    case 'update_global_notifications':
    case 'realm_user_settings_defaults':
    case 'custom_profile_fields':
    case 'realm_bot':
    case 'invites_changed':
    case 'heartbeat':
      return kept
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

/** A deactivated user is in no group and among no subscribers any more, of which no further event tells. */
function dropDeactivated(kept: Snapshot, event: EventOf<'realm_user'>): Snapshot {
  const { person } = event
  if (!('is_active' in person) || person.is_active) return kept
  return {
    ...kept,
    ...dropFromSubscriptions(kept, person.user_id),
    streams: dropFromChannels(kept.streams, person.user_id),
    realm_user_groups: dropFromGroups(kept.realm_user_groups, person.user_id),
  }
}
