/** Settings of an organization: each with the schema of its value and its default. */
import { z } from 'zod'
import {
  realmPermissionNames,
  type GroupSettingValue,
  type RealmPermission,
} from '../user-groups/settings.ts'

/** Null: no limit. */
const seconds = z.int().positive().max(2_147_483_647).nullable()
/** Null: none. On the wire that is -1. */
const channelId = z.int().nullable()

/** The kinds of organization; 0 is unspecified, 1000 other. */
const organizationTypes = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const

/** Ways to sign in, and whether the organization wants them. */
const AuthenticationMethods = z.strictObject({ Email: z.boolean(), Dev: z.boolean() })
export type AuthenticationMethod = keyof z.output<typeof AuthenticationMethods>

/** Named as in the register response without `realm_`. Permission settings are in `user-groups/settings.ts`. */
export const realmSettings = {
  description: z.string().max(1000).default(''),
  org_type: z.literal(organizationTypes).default(0),
  default_language: z
    .string()
    .max(50)
    .regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*$/, 'Not the code of a language')
    .default('en'),
  /** Empty: none. */
  default_code_block_language: z
    .string()
    .max(40)
    .regex(/^[\w+#.-]*$/, 'Not the name of a language')
    .default(''),
  allow_message_editing: z.boolean().default(true),
  message_content_edit_limit_seconds: seconds.default(600),
  message_content_delete_limit_seconds: seconds.default(600),
  move_messages_within_stream_limit_seconds: seconds.default(7 * 86_400),
  move_messages_between_streams_limit_seconds: seconds.default(7 * 86_400),
  message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']).default('all'),
  /** -1: for ever. */
  message_retention_days: z.int().default(-1),
  mandatory_topics: z.boolean().default(false),
  avatar_changes_disabled: z.boolean().default(false),
  name_changes_disabled: z.boolean().default(false),
  email_changes_disabled: z.boolean().default(false),
  require_unique_names: z.boolean().default(false),
  authentication_methods: AuthenticationMethods.default({ Email: true, Dev: true }),
  invite_required: z.boolean().default(true),
  emails_restricted_to_domains: z.boolean().default(false),
  disallow_disposable_email_addresses: z.boolean().default(true),
  send_welcome_emails: z.boolean().default(false),
  digest_emails_enabled: z.boolean().default(false),
  digest_weekday: z.int().min(0).max(6).default(1),
  message_content_allowed_in_email_notifications: z.boolean().default(true),
  enable_guest_user_indicator: z.boolean().default(true),
  enable_guest_user_dm_warning: z.boolean().default(true),
  enable_read_receipts: z.boolean().default(true),
  enable_spectator_access: z.boolean().default(false),
  inline_image_preview: z.boolean().default(true),
  inline_url_embed_preview: z.boolean().default(false),
  presence_disabled: z.boolean().default(false),
  /** Calls are made by other vendors' services; this server offers none. */
  video_chat_provider: z.literal(0).default(0),
  /** Days after which a new member is a full member. */
  waiting_period_threshold: z.int().min(0).max(36_500).default(0),
  want_advertise_in_communities_directory: z.boolean().default(false),
  upload_quota_mib: z.int().positive().nullable().default(null),
  new_stream_announcements_stream_id: channelId.default(null),
  signup_announcements_stream_id: channelId.default(null),
  svc_update_announcements_stream_id: channelId.default(null),
  moderation_request_channel_id: channelId.default(null),
} as const

const GroupSetting = z.custom<GroupSettingValue>()
const permissions = Object.fromEntries(
  realmPermissionNames.map((name) => [name, GroupSetting.optional()]),
) as Record<RealmPermission, z.ZodOptional<typeof GroupSetting>>

const Stored = z.object({ ...realmSettings, ...permissions })

/** All settings with their values. A permission that was never set is absent: its default group holds it. */
export type RealmSettings = z.output<typeof Stored>

export const parseRealmSettings = (stored: string): RealmSettings => Stored.parse(JSON.parse(stored))

/** What differs from the defaults, as it is stored. */
export function storableSettings(settings: RealmSettings): string {
  const defaults = parseRealmSettings('{}') as Record<string, unknown>
  const differing = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
  )
  return JSON.stringify(Object.fromEntries(differing))
}

/** Those that name a channel. */
export const channelSettings = [
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'svc_update_announcements_stream_id',
  'moderation_request_channel_id',
] as const satisfies (keyof typeof realmSettings)[]

/** Length limits, in characters. */
export const MAX_REALM_NAME_LENGTH = 60
export const MAX_MESSAGE_LENGTH = 10_000
export const MAX_TOPIC_LENGTH = 60
export const MAX_CHANNEL_NAME_LENGTH = 60
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024
export const MAX_FULL_NAME_LENGTH = 100
export const MIN_PASSWORD_LENGTH = 6
export const MAX_PASSWORD_LENGTH = 100

/** What clients that cannot show an empty topic show in its place. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'
