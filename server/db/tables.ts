/** The tables as the newest migration leaves them, typed for the query builder. Booleans are stored as 0 and 1. */
import type { Generated, Selectable } from 'kysely'

type Bit = 0 | 1

/** Rows of these tables belong to one realm and carry `realm_id`; every query on them is confined to it. */
export interface RealmTables {
  users: {
    id: Generated<number>
    realm_id: Generated<number>
    delivery_email: string
    /** `delivery_email` as it is compared: normalised and in lower case. */
    email_key: string
    full_name: string
    role: number
    is_active: Generated<Bit>
    is_bot: Generated<Bit>
    is_system_bot: Generated<Bit>
    bot_type: Generated<number | null>
    bot_owner_id: Generated<number | null>
    /** UNIX seconds. */
    date_joined: number
    timezone: Generated<string>
    avatar_source: Generated<'G' | 'U'>
    avatar_version: Generated<number>
    /** Below `uploads/REALM/avatars/`, without its ending; null where the server draws the picture. */
    avatar_file: Generated<string | null>
    password_hash: string | null
    api_key: string
    /** JSON object of the settings that differ from their defaults. */
    settings: Generated<string>
    can_create_users: Generated<Bit>
    can_change_user_emails: Generated<Bit>
    has_call_token: Generated<Bit>
  }
  user_groups: {
    id: Generated<number>
    realm_id: Generated<number>
    name: string
    description: string
    is_system_group: Generated<Bit>
    deactivated: Generated<Bit>
    creator_id: Generated<number | null>
    date_created: Generated<number | null>
    /** JSON object of the `can_*` settings that differ from their defaults. */
    settings: Generated<string>
  }
  user_group_members: { realm_id: Generated<number>; group_id: number; user_id: number }
  user_group_subgroups: { realm_id: Generated<number>; group_id: number; subgroup_id: number }
  channels: {
    id: Generated<number>
    realm_id: Generated<number>
    name: string
    name_key: string
    description: string
    rendered_description: string
    date_created: number
    creator_id: number | null
    invite_only: Bit
    is_web_public: Bit
    history_public_to_subscribers: Bit
    is_archived: Generated<Bit>
    is_default: Bit
    message_retention_days: number | null
    first_message_id: Generated<number | null>
    /** Group-setting values as JSON, here and in the next four. */
    can_add_subscribers_group: string
    can_administer_channel_group: string
    can_remove_subscribers_group: string
    can_send_message_group: string
    can_subscribe_group: string
  }
  subscriptions: {
    realm_id: Generated<number>
    user_id: number
    channel_id: number
    is_active: Bit
    color: string
    is_muted: Generated<Bit>
    pin_to_top: Generated<Bit>
    desktop_notifications: Generated<Bit | null>
    email_notifications: Generated<Bit | null>
    push_notifications: Generated<Bit | null>
    audible_notifications: Generated<Bit | null>
    wildcard_mentions_notify: Generated<Bit | null>
  }
  conversations: {
    id: Generated<number>
    realm_id: Generated<number>
    channel_id: number | null
    dm_key: string | null
  }
  spans: {
    realm_id: Generated<number>
    user_id: number
    conversation_id: number
    from_id: number
    to_id: number | null
  }
  messages: {
    id: Generated<number>
    realm_id: Generated<number>
    conversation_id: number
    sender_id: number
    topic: string
    topic_key: string
    content: string
    rendered_content: string
    client: string
    /** UNIX seconds. */
    timestamp: number
    edit_history: Generated<string | null>
    last_edit_timestamp: Generated<number | null>
    last_moved_timestamp: Generated<number | null>
    /** Bits: 1 a link, 2 an image, 4 an upload. */
    contents: Generated<number>
    /** The conversation it was received in, where it was moved since. */
    received_in: Generated<number | null>
    readers_id: Generated<number | null>
    /** Bits of `message_flags` that everybody who received the message has. */
    shared_flags: Generated<number>
  }
  submessages: {
    id: Generated<number>
    realm_id: Generated<number>
    message_id: number
    sender_id: number
    msg_type: string
    content: string
  }
  /** `word_key` is the word as it is compared. */
  alert_words: { realm_id: Generated<number>; user_id: number; word: string; word_key: string }
  linkifiers: {
    id: Generated<number>
    realm_id: Generated<number>
    sort_order: number
    pattern: string
    url_template: string
  }
  playgrounds: {
    id: Generated<number>
    realm_id: Generated<number>
    name: string
    pygments_language: string
    url_template: string
  }
  reader_lists: { id: Generated<number>; realm_id: Generated<number> }
  readers: { realm_id: Generated<number>; list_id: number; user_id: number }
  moved_to: { realm_id: Generated<number>; received_in: number; conversation_id: number }
  channel_traffic: { realm_id: Generated<number>; channel_id: number; day: number; messages: number }
  read_cursors: {
    realm_id: Generated<number>
    user_id: number
    conversation_id: number
    read_through: number
  }
  read_exceptions: {
    realm_id: Generated<number>
    user_id: number
    conversation_id: number
    message_id: number
  }
  message_flags: { realm_id: Generated<number>; user_id: number; message_id: number; flags: number }
  reactions: {
    id: Generated<number>
    realm_id: Generated<number>
    message_id: number
    user_id: number
    emoji_name: string
    emoji_code: string
    reaction_type: string
  }
  attachments: {
    id: Generated<number>
    realm_id: Generated<number>
    owner_id: number
    name: string
    path_id: string
    content_type: string
    size: number
    /** Milliseconds. */
    create_time: number
  }
  attachment_messages: { realm_id: Generated<number>; attachment_id: number; message_id: number }
  realm_domains: {
    id: Generated<number>
    realm_id: Generated<number>
    domain: string
    allow_subdomains: Bit
  }
  default_channel_groups: {
    id: Generated<number>
    realm_id: Generated<number>
    name: string
    description: string
  }
  default_channel_group_channels: { realm_id: Generated<number>; group_id: number; channel_id: number }
  realm_exports: {
    id: Generated<number>
    realm_id: Generated<number>
    acting_user_id: number
    /** 1 public, 2 standard. */
    export_type: number
    token: string
    /** UNIX seconds, here and below. */
    started_at: number
    finished_at: Generated<number | null>
    failed_at: Generated<number | null>
    deleted_at: Generated<number | null>
  }
  realm_emoji: {
    id: Generated<number>
    realm_id: Generated<number>
    name: string
    author_id: number | null
    file_name: string
    is_animated: Bit
    deactivated: Generated<Bit>
    still_file: Generated<string | null>
    /** Its name in the watched folder, where it comes from there. */
    source_file: Generated<string | null>
    source_hash: Generated<string | null>
  }
  realm_pictures: {
    id: Generated<number>
    realm_id: Generated<number>
    kind: 'icon' | 'logo' | 'night_logo'
    file_name: string | null
    version: number
  }
  user_settings_defaults: { realm_id: Generated<number>; settings: string }
  bot_services: {
    realm_id: Generated<number>
    bot_id: number
    base_url: string
    interface: number
    token: string
  }
  bot_settings: {
    realm_id: Generated<number>
    bot_id: number
    default_sending_channel_id: number | null
    default_events_register_channel_id: number | null
    default_all_public_streams: Bit
  }
  bot_calls: {
    id: Generated<number>
    realm_id: Generated<number>
    bot_id: number
    message_id: number
    cause: 'mention' | 'direct_message'
    /** The realm's address as the sender's client reached it. */
    realm_url: string
    /** How often it was tried in vain. */
    tries: Generated<number>
  }
  invitations: {
    id: Generated<number>
    realm_id: Generated<number>
    /** The secret in the link. */
    key: string
    invited_by: number
    /** Null: whoever has the link, as often as it is used. */
    email: string | null
    email_key: string | null
    role: number
    /** JSON arrays of ids, here and in the next. */
    channel_ids: string
    group_ids: string
    include_default_channels: Bit
    notify_referrer: Bit
    /** UNIX seconds, here and in the next. */
    created: number
    /** Null: never. */
    expires: number | null
  }
  profile_fields: {
    id: Generated<number>
    realm_id: Generated<number>
    type: number
    sort_order: number
    name: string
    hint: string
    field_data: string
    display_in_profile_summary: Bit
    required: Bit
    editable_by_user: Bit
  }
  profile_values: {
    realm_id: Generated<number>
    user_id: number
    field_id: number
    value: string
    rendered_value: string | null
  }
  user_topics: {
    realm_id: Generated<number>
    user_id: number
    channel_id: number
    topic: string
    topic_key: string
    /** 1 muted, 2 unmuted, 3 followed. */
    visibility_policy: number
    last_updated: number
  }
  drafts: {
    id: Generated<number>
    realm_id: Generated<number>
    user_id: number
    type: '' | 'stream' | 'private'
    /** JSON list of a channel's id, or of users' ids. */
    recipients: string
    topic: string
    content: string
    timestamp: number
  }
  saved_snippets: {
    id: Generated<number>
    realm_id: Generated<number>
    user_id: number
    title: string
    content: string
    date_created: number
  }
  scheduled_messages: {
    id: Generated<number>
    realm_id: Generated<number>
    user_id: number
    channel_id: number | null
    topic: string
    /** JSON list; null where it goes to a channel. */
    user_ids: string | null
    content: string
    rendered_content: string
    /** UNIX seconds. */
    delivery_at: number
    read_by_sender: Bit
    client: string
    failed: Generated<Bit>
  }
  muted_users: { realm_id: Generated<number>; user_id: number; muted_user_id: number; timestamp: number }
  user_statuses: {
    user_id: number
    realm_id: Generated<number>
    status_text: string
    emoji_name: string
    emoji_code: string
    reaction_type: '' | 'unicode_emoji' | 'realm_emoji' | 'svc_extra_emoji'
  }
  presences: {
    user_id: number
    realm_id: Generated<number>
    active_at: number
    idle_at: number
    update_id: number
  }
  onboarding_steps: { realm_id: Generated<number>; user_id: number; name: string }
  device_tokens: { realm_id: Generated<number>; user_id: number; token: string; date_created: number }
}

/** Tables of the whole server. */
export interface ServerTables {
  /** Event queues between a clean stop and the next start. */
  kept_queues: { id: string; writer: string; state: string }
  server_settings: { key: string; value: string }
  realms: {
    id: Generated<number>
    string_id: string
    name: string
    /** JSON object of the settings that differ from their defaults. */
    settings: Generated<string>
    date_created: number
    is_deactivated: Generated<Bit>
  }
}

export type Tables = RealmTables & ServerTables
export type Row<T extends keyof Tables> = Selectable<Tables[T]>

const serverTables: ReadonlySet<string> = new Set<keyof ServerTables>([
  'kept_queues',
  'server_settings',
  'realms',
])

/** Whether rows of this table belong to a realm. What is not known to be the server's does. */
export const isRealmTable = (table: string): boolean => !serverTables.has(table)

/** How a boolean is stored. */
export const bit = (value: boolean): Bit => (value ? 1 : 0)
