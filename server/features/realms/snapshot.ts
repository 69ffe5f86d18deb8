/** The organization a client starts with: its part of the register response. */
import type { RequestContext } from '../../context.ts'
import { thumbnailFormats } from '../../services/images.ts'
import { externalAccounts } from '../profile-fields/external-accounts.ts'
import {
  channelPermissions,
  groupPermissions,
  realmPermissions,
  type RealmPermission,
  type SystemGroupName,
} from '../user-groups/settings.ts'
import { systemGroupIds } from '../user-groups/store.ts'
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  MAX_MESSAGE_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_TOPIC_LENGTH,
  MIN_PASSWORD_LENGTH,
} from './settings.ts'
import { isMethodEnabled, presentRealmFields, type RealmFields } from './present.ts'
import { presentPictures, type RealmPictures } from './pictures.ts'
import { realmPermission } from './store.ts'

/** The organization's settings under the names of the register response, and the deprecated forms of some. */
export type RealmPart = {
  [Name in keyof (RealmFields & RealmPictures) as `realm_${Name}`]: (RealmFields & RealmPictures)[Name]
} & {
  realm_allow_edit_history: boolean
  realm_email_auth_enabled: boolean
  realm_password_auth_enabled: boolean
}

function realmPart({ server, db, realm, realmUrl }: RequestContext): RealmPart {
  const fields = { ...presentRealmFields(server, db, realm), ...presentPictures(db, realmUrl) }
  const named = Object.entries(fields).map(([name, value]) => [`realm_${name}`, value])
  const emailEnabled = isMethodEnabled(server, realm.settings, 'Email')
  return {
    ...(Object.fromEntries(named) as RealmPart),
    realm_allow_edit_history: fields.message_edit_history_visibility_policy !== 'none',
    realm_email_auth_enabled: emailEnabled,
    realm_password_auth_enabled: emailEnabled,
  }
}

/** Every field that comes with the fetch type `realm`. */
export function realmSnapshot(ctx: RequestContext) {
  const { realm, request } = ctx
  return {
    ...realmPart(ctx),
    ...legacyPolicies(ctx),
    ...serverFacts(ctx),
    realm_url: request.realmUrl,
    realm_uri: request.realmUrl,
    realm_date_created: realm.dateCreated,
    realm_bot_domain: `${realm.stringId}.local`,
    realm_plan_type: 1,
    svc_plan_is_not_limited: true,
    realm_available_video_chat_providers: { disabled: { id: 0, name: 'None' } },
    realm_default_external_accounts: externalAccounts,
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    realm_push_notifications_enabled: false,
    realm_push_notifications_enabled_end_timestamp: null,
  }
}

/** Facts of the server that are sent with the organization's. */
function serverFacts({ server, request }: RequestContext) {
  return {
    development_environment: server.config.dev,
    // A poll ends with a heartbeat; a client that waits half a minute longer never cuts one off.
    event_queue_longpoll_timeout_seconds: server.config.heartbeatSeconds + 30,
    max_message_length: MAX_MESSAGE_LENGTH,
    max_topic_length: MAX_TOPIC_LENGTH,
    max_stream_name_length: MAX_CHANNEL_NAME_LENGTH,
    max_stream_description_length: MAX_CHANNEL_DESCRIPTION_LENGTH,
    max_avatar_file_size_mib: server.config.maxAvatarFileSizeMib,
    max_icon_file_size_mib: server.config.maxIconFileSizeMib,
    max_logo_file_size_mib: server.config.maxLogoFileSizeMib,
    max_file_upload_size_mib: server.config.maxFileUploadSizeMib,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_max_length: MAX_PASSWORD_LENGTH,
    password_min_guesses: 10_000,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_can_summarize_topics: false,
    server_emoji_data_url: `${request.realmUrl}/static/emoji.json`,
    server_generation: Math.floor(server.startedAt / 1000),
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_max_deactivated_realm_deletion_days: null,
    server_min_deactivated_realm_deletion_days: null,
    server_needs_upgrade: false,
    server_presence_offline_threshold_seconds: 140,
    server_presence_ping_interval_seconds: 60,
    server_supported_permission_settings: {
      realm: realmPermissions,
      stream: channelPermissions,
      group: groupPermissions,
    },
    server_thumbnail_formats: thumbnailFormats,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_web_public_streams_enabled: server.config.webPublicStreamsEnabled,
    settings_send_digest_emails: false,
    upgrade_text_for_wide_organization_logo: '',
  }
}

/** Deprecated numbers for who may do a thing, worked out from the group that may. */
function legacyPolicies(ctx: RequestContext) {
  const names = new Map([...systemGroupIds(ctx.db)].map(([name, id]) => [id, name]))
  const policy = (
    permission: RealmPermission,
    numbers: Partial<Record<SystemGroupName, number>>,
    other: number,
  ) => {
    const value = realmPermission(ctx.db, ctx.realm, permission)
    const name = typeof value === 'number' ? names.get(value) : undefined
    return (name && numbers[name]) ?? other
  }
  const creation = { 'role:administrators': 2, 'role:fullmembers': 3, 'role:moderators': 4 } as const
  return {
    realm_create_public_stream_policy: policy('can_create_public_channel_group', creation, 1),
    realm_create_private_stream_policy: policy('can_create_private_channel_group', creation, 1),
    realm_create_web_public_stream_policy: policy(
      'can_create_web_public_channel_group',
      { 'role:administrators': 2, 'role:moderators': 4, 'role:nobody': 6, 'role:owners': 7 },
      7,
    ),
    realm_wildcard_mention_policy: policy(
      'can_mention_many_users_group',
      {
        'role:everyone': 1,
        'role:members': 2,
        'role:fullmembers': 3,
        'role:administrators': 5,
        'role:nobody': 6,
        'role:moderators': 7,
      },
      5,
    ),
  }
}
