// The settings of an organization: what each is called, what it does, and how it is set. What has no effect on this
// server (mails, calls, billing) is left out.

import type { RealmPermission } from '../../../server/contract.ts'

interface Common {
  label: string
  description?: string
}

export type Setting = Common &
  (
    | {
        kind: 'switch'
        name: SwitchName
        /** On means that the setting is false. */
        inverted?: true
        /** The server has to allow it too. */
        needs?: 'web-public'
      }
    | { kind: 'choice'; name: ChoiceName; options: readonly { value: string | number; label: string }[] }
    | { kind: 'duration'; name: DurationName; never: string }
    | { kind: 'days'; name: DaysName; never?: string }
    | { kind: 'channel'; name: ChannelName; privateOnly?: true }
    | { kind: 'permission'; name: RealmPermission }
    | { kind: 'language'; name: 'default_language' }
    | { kind: 'word'; name: 'default_code_block_language' }
    | { kind: 'methods'; name: 'authentication_methods' }
    | { kind: 'domains'; name: 'domains' }
  )

export type SwitchName =
  | 'allow_message_editing'
  | 'avatar_changes_disabled'
  | 'disallow_disposable_email_addresses'
  | 'emails_restricted_to_domains'
  | 'enable_guest_user_dm_warning'
  | 'enable_guest_user_indicator'
  | 'enable_read_receipts'
  | 'enable_spectator_access'
  | 'inline_image_preview'
  | 'invite_required'
  | 'mandatory_topics'
  | 'name_changes_disabled'
  | 'presence_disabled'
  | 'require_unique_names'
export type ChoiceName = 'message_edit_history_visibility_policy' | 'org_type'
export type DurationName =
  | 'message_content_edit_limit_seconds'
  | 'message_content_delete_limit_seconds'
  | 'move_messages_within_stream_limit_seconds'
  | 'move_messages_between_streams_limit_seconds'
export type DaysName = 'message_retention_days' | 'waiting_period_threshold'
export type ChannelName =
  | 'new_stream_announcements_stream_id'
  | 'signup_announcements_stream_id'
  | 'moderation_request_channel_id'

/** Administrators see these, owners change them (as the server has it in `update-realm.ts`). */
const ownersOnly: ReadonlySet<string> = new Set([
  'authentication_methods',
  'can_create_groups',
  'can_manage_all_groups',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'domains',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
])

export const isForOwners = ({ name }: Setting): boolean => ownersOnly.has(name)

export interface SettingSection {
  id: string
  title: string
  settings: readonly Setting[]
}

/** What stands beside name and description. */
export const profileSettings: readonly Setting[] = [
  {
    kind: 'choice',
    name: 'org_type',
    label: 'Kind of organization',
    options: [
      { value: 0, label: 'Not said' },
      { value: 10, label: 'Business' },
      { value: 20, label: 'Open-source project' },
      { value: 30, label: 'Education, non-profit' },
      { value: 35, label: 'Education, for profit' },
      { value: 40, label: 'Research' },
      { value: 50, label: 'Event or conference' },
      { value: 60, label: 'Non-profit' },
      { value: 70, label: 'Government' },
      { value: 80, label: 'Political group' },
      { value: 90, label: 'Community' },
      { value: 100, label: 'Personal' },
      { value: 1000, label: 'Other' },
    ],
  },
  {
    kind: 'language',
    name: 'default_language',
    label: 'Language',
    description: 'That new users begin with, and automatic messages are written in',
  },
]

export const settingSections: readonly SettingSection[] = [
  {
    id: 'joining',
    title: 'Joining',
    settings: [
      {
        kind: 'switch',
        name: 'invite_required',
        label: 'Only by invitation',
        description: 'Otherwise whoever reaches the server may make an account',
      },
      { kind: 'permission', name: 'can_invite_users_group', label: 'Who may invite people' },
      {
        kind: 'permission',
        name: 'create_multiuse_invite_group',
        label: 'Who may make invitation links',
        description: 'Links that any number of people can use',
      },
      {
        kind: 'switch',
        name: 'emails_restricted_to_domains',
        label: 'Only addresses of these domains',
        description: 'For new accounts, also where somebody is invited',
      },
      { kind: 'domains', name: 'domains', label: 'Domains', description: 'What comes after the @' },
      {
        kind: 'switch',
        name: 'disallow_disposable_email_addresses',
        label: 'No throw-away addresses',
        description: 'Refuses addresses of services that lend them for minutes',
      },
      { kind: 'methods', name: 'authentication_methods', label: 'Ways to sign in' },
      {
        kind: 'days',
        name: 'waiting_period_threshold',
        label: 'Full member after',
        description: 'Until then a newcomer has no permission that is for full members',
      },
      {
        kind: 'channel',
        name: 'signup_announcements_stream_id',
        label: 'Channel that hears of newcomers',
      },
    ],
  },
  {
    id: 'people',
    title: 'People and guests',
    settings: [
      {
        kind: 'switch',
        name: 'name_changes_disabled',
        inverted: true,
        label: 'People change their own name',
      },
      {
        kind: 'switch',
        name: 'avatar_changes_disabled',
        inverted: true,
        label: 'People change their own picture',
      },
      {
        kind: 'switch',
        name: 'require_unique_names',
        label: 'No two people of one name',
        description: 'Looked at when somebody comes or is renamed',
      },
      {
        kind: 'switch',
        name: 'presence_disabled',
        inverted: true,
        label: 'Show who is here',
        description: 'The green dot, and when somebody was last seen',
      },
      {
        kind: 'permission',
        name: 'can_access_all_users_group',
        label: 'Who sees everybody',
        description: 'Guests who do not see only those they share a channel or conversation with',
      },
      {
        kind: 'switch',
        name: 'enable_guest_user_indicator',
        label: 'Mark guests',
        description: 'Clients write “(guest)” after their names',
      },
      {
        kind: 'switch',
        name: 'enable_guest_user_dm_warning',
        label: 'Warn before writing to a guest',
        description: 'Clients say so in new direct conversations',
      },
    ],
  },
  {
    id: 'messages',
    title: 'Messages',
    settings: [
      {
        kind: 'switch',
        name: 'allow_message_editing',
        label: 'People edit their own messages',
      },
      {
        kind: 'duration',
        name: 'message_content_edit_limit_seconds',
        label: 'Editing is possible for',
        never: 'Any time',
      },
      {
        kind: 'choice',
        name: 'message_edit_history_visibility_policy',
        label: 'History of a message shows',
        options: [
          { value: 'all', label: 'Every edit and move' },
          { value: 'moves', label: 'Moves only' },
          { value: 'none', label: 'Nothing' },
        ],
      },
      {
        kind: 'permission',
        name: 'can_delete_own_message_group',
        label: 'Who may delete their own messages',
      },
      {
        kind: 'duration',
        name: 'message_content_delete_limit_seconds',
        label: 'Deleting is possible for',
        never: 'Any time',
      },
      {
        kind: 'days',
        name: 'message_retention_days',
        label: 'Messages are kept for',
        description: 'Older ones are deleted for good, once a day. A channel can have a time of its own.',
        never: 'For ever',
      },
      {
        kind: 'permission',
        name: 'direct_message_permission_group',
        label: 'Who may write direct messages',
        description: 'One of those in the conversation has to be among them',
      },
      {
        kind: 'permission',
        name: 'direct_message_initiator_group',
        label: 'Who may begin a direct conversation',
      },
      {
        kind: 'permission',
        name: 'can_mention_many_users_group',
        label: 'Who may mention everybody',
        description: 'With @all and its like, where many would be notified',
      },
      {
        kind: 'switch',
        name: 'enable_read_receipts',
        label: 'Read receipts',
        description: 'People see who has read a message, but for those who keep that to themselves',
      },
      {
        kind: 'word',
        name: 'default_code_block_language',
        label: 'Language of code',
        description: 'Where a block of code does not say it: python, rust, … Empty: none.',
      },
    ],
  },
  {
    id: 'topics',
    title: 'Topics and moving',
    settings: [
      {
        kind: 'switch',
        name: 'mandatory_topics',
        label: 'Every message in a channel needs a topic',
      },
      { kind: 'permission', name: 'can_resolve_topics_group', label: 'Who may resolve topics' },
      {
        kind: 'permission',
        name: 'can_move_messages_between_topics_group',
        label: 'Who may move messages to other topics',
      },
      {
        kind: 'duration',
        name: 'move_messages_within_stream_limit_seconds',
        label: 'Moving to other topics is possible for',
        description: 'Moderators may at any time',
        never: 'Any time',
      },
      {
        kind: 'permission',
        name: 'can_move_messages_between_channels_group',
        label: 'Who may move messages to other channels',
      },
      {
        kind: 'duration',
        name: 'move_messages_between_streams_limit_seconds',
        label: 'Moving to other channels is possible for',
        description: 'Moderators may at any time',
        never: 'Any time',
      },
    ],
  },
  {
    id: 'channels',
    title: 'Channels',
    settings: [
      {
        kind: 'permission',
        name: 'can_create_public_channel_group',
        label: 'Who may create public channels',
      },
      {
        kind: 'permission',
        name: 'can_create_private_channel_group',
        label: 'Who may create private channels',
      },
      {
        kind: 'permission',
        name: 'can_add_subscribers_group',
        label: 'Who may add others to channels',
      },
      {
        kind: 'channel',
        name: 'new_stream_announcements_stream_id',
        label: 'Channel that hears of new channels',
      },
    ],
  },
  {
    id: 'public',
    title: 'Public access',
    settings: [
      {
        kind: 'switch',
        name: 'enable_spectator_access',
        label: 'Web-public channels',
        description: 'Anyone on the internet reads them, without an account',
        needs: 'web-public',
      },
      {
        kind: 'permission',
        name: 'can_create_web_public_channel_group',
        label: 'Who may create web-public channels',
      },
    ],
  },
  {
    id: 'files',
    title: 'Files and emoji',
    settings: [
      {
        kind: 'switch',
        name: 'inline_image_preview',
        label: 'Show pictures in messages',
        description: 'Pictures of this server that a message links to',
      },
      { kind: 'permission', name: 'can_add_custom_emoji_group', label: 'Who may add emoji' },
    ],
  },
  {
    id: 'groups',
    title: 'Groups and bots',
    settings: [
      { kind: 'permission', name: 'can_create_groups', label: 'Who may create groups' },
      { kind: 'permission', name: 'can_manage_all_groups', label: 'Who may change every group' },
      { kind: 'permission', name: 'can_create_bots_group', label: 'Who may create bots' },
      {
        kind: 'permission',
        name: 'can_create_write_only_bots_group',
        label: 'Who may create bots that only send',
        description: 'Incoming webhooks',
      },
    ],
  },
  {
    id: 'moderation',
    title: 'Moderation',
    settings: [
      {
        kind: 'permission',
        name: 'can_delete_any_message_group',
        label: 'Who may delete any message',
      },
      {
        kind: 'channel',
        name: 'moderation_request_channel_id',
        label: 'Channel for requests to moderators',
        description: 'A private one',
        privateOnly: true,
      },
    ],
  },
]
