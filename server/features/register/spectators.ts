/** What people without an account start with, where an organization lets them look in. */
import type { RequestContext } from '../../context.ts'
import { BadRequestError } from '../../http/errors.ts'
import { webPublicSnapshot } from '../channels/snapshot.ts'
import { defaultChannels } from '../channels/store.ts'
import { allEmoji } from '../emoji/store.ts'
import { linkifiersOf } from '../linkifiers/store.ts'
import { assertSpectatorsWelcome } from '../messages/access.ts'
import { groupUnread } from '../messages/unread-counts.ts'
import { playgroundsOf } from '../playgrounds/store.ts'
import { profileFieldSnapshot } from '../profile-fields/present.ts'
import { realmSnapshot } from '../realms/snapshot.ts'
import { channelSettings } from '../realms/settings.ts'
import { groupSnapshot } from '../user-groups/present.ts'
import {
  defaultsSnapshot,
  legacyDisplay,
  legacyNotifications,
  settingsSnapshot,
} from '../user-settings/snapshot.ts'
import { newUserSettings } from '../user-settings/store.ts'
import { asSpectatorsSee, presentUser, type UserObject } from '../users/present.ts'
import { allUsers, systemBots } from '../users/store.ts'
import { dummyEmail } from '../users/visibility.ts'
import { type RegisterParams, versionFacts } from './queue.ts'

type Block = (ctx: RequestContext, params: RegisterParams) => object

/**
 * What each fetch type brings: what the organization shows to everybody; of people a name and a picture; nothing where
 * the part belongs to one user.
 */
const blocks: Record<string, Block> = {
  realm: (ctx) => ({ ...realmSnapshot(ctx), ...announcementChannels(ctx) }),
  realm_user: (ctx) => ({ ...people(ctx), ...nobody(ctx) }),
  realm_user_groups: (ctx) => ({
    // Whether somebody is in a group is not theirs to know, nor which groups people made.
    realm_user_groups: groupSnapshot(ctx, ctx.db, { deactivated: false })
      .filter((group) => group.is_system_group)
      .map((group) => ({ ...group, members: [] })),
  }),
  stream: (ctx) => ({ streams: webPublicSnapshot(ctx) }),
  subscription: (ctx) => ({
    subscriptions: [],
    unsubscribed: [],
    never_subscribed: webPublicSnapshot(ctx),
  }),
  default_streams: (ctx) => ({
    realm_default_streams: defaultChannels(ctx.db)
      .filter((channel) => channel.is_web_public)
      .map(({ id }) => id),
  }),
  realm_emoji: (ctx) => ({ realm_emoji: allEmoji(ctx.db) }),
  realm_linkifiers: (ctx, { client_capabilities }) => ({
    realm_linkifiers: client_capabilities.linkifier_url_template ? linkifiersOf(ctx.db) : [],
  }),
  realm_playgrounds: (ctx) => ({ realm_playgrounds: playgroundsOf(ctx.db) }),
  custom_profile_fields: (ctx) => ({ ...profileFieldSnapshot(ctx.db), custom_profile_fields: [] }),
  user_settings: (ctx) => settingsSnapshot(newcomer(ctx)),
  update_display_settings: (ctx, { client_capabilities }) =>
    client_capabilities.user_settings_object ? {} : legacyDisplay(newcomer(ctx)),
  update_global_notifications: (ctx, { client_capabilities }) =>
    client_capabilities.user_settings_object ? {} : legacyNotifications(newcomer(ctx)),
  realm_user_settings_defaults: (ctx) => defaultsSnapshot(ctx.db),
  presence: (ctx) => ({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: ctx.server.now() / 1000,
  }),
  message: () => ({ max_message_id: -1 }),
  update_message_flags: (_ctx, params) =>
    fetchedTypes(params).includes('message') ? { unread_msgs: groupUnread(new Map(), -1, false) } : {},
  muted_topics: (_ctx, { fetch_event_types, event_types }) =>
    (fetch_event_types ?? event_types)?.includes('user_topic') ? {} : { muted_topics: [] },
  user_status: () => ({ user_status: {} }),
  video_calls: () => ({ has_call_token: false }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  alert_words: () => ({ alert_words: [] }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  drafts: () => ({ drafts: [] }),
  muted_users: () => ({ muted_users: [] }),
  realm_bot: () => ({ realm_bots: [] }),
  realm_domains: () => ({ realm_domains: [] }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  recent_private_conversations: () => ({ recent_private_conversations: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  starred_messages: () => ({ starred_messages: [] }),
  stop_words: () => ({ stop_words: [] }),
  user_topic: () => ({ user_topics: [] }),
}

const fetchedTypes = ({ fetch_event_types, event_types }: RegisterParams): string[] =>
  (fetch_event_types ?? event_types ?? Object.keys(blocks)).filter((type) => Object.hasOwn(blocks, type))

/**
 * The snapshot without a queue (specification, "Authentication").
 * @throws UnauthorizedError where the organization lets nobody look in; BadRequestError
 */
export function spectatorSnapshot(ctx: RequestContext, params: RegisterParams) {
  assertSpectatorsWelcome(ctx)
  for (const name of ['client_extavatar', 'include_subscribers'] as const) {
    if (params[name]) throw new BadRequestError(`Invalid '${name}' parameter for anonymous request`)
  }
  const fetched = new Set(fetchedTypes(params))
  return {
    ...Object.assign({}, ...[...fetched].map((type) => blocks[type]?.(ctx, params))),
    queue_id: null,
    last_event_id: -1,
    ...versionFacts,
  }
}

/** Settings of somebody who changed none. */
const newcomer = (ctx: RequestContext) => ({ settings: newUserSettings(ctx.db), timezone: '' })

/** Where the organization announces things, as far as spectators may look there. */
function announcementChannels(ctx: RequestContext) {
  const open = new Set(webPublicSnapshot(ctx).map(({ stream_id }) => stream_id))
  return Object.fromEntries(
    channelSettings.map((name) => {
      const id = ctx.realm.settings[name]
      return [`realm_${name}`, id !== null && open.has(id) ? id : -1]
    }),
  )
}

function people(ctx: RequestContext) {
  const users = allUsers(ctx.db).map((user) => presented(ctx, user))
  return {
    realm_users: users.filter((user) => user.is_active),
    realm_non_active_users: users.filter((user) => !user.is_active),
    cross_realm_bots: systemBots(ctx.db).map((bot) => ({ ...presented(ctx, bot), is_system_bot: true })),
  }
}

function presented(ctx: RequestContext, user: Parameters<typeof asSpectatorsSee>[0]): UserObject {
  const { realm, request } = ctx
  const viewing = { realm, viewer: null, realmUrl: request.realmUrl, extAvatar: false }
  return {
    ...presentUser(asSpectatorsSee(user), viewing),
    // Of bots too, whose addresses every user sees.
    delivery_email: null,
    email: dummyEmail(realm, user.id),
  }
}

/** The own user of somebody who is none. */
const nobody = ({ request }: RequestContext) => ({
  user_id: -1,
  email: '',
  delivery_email: '',
  full_name: '',
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: false,
  avatar_source: 'G',
  avatar_url: `${request.realmUrl}/avatar/0`,
  avatar_url_medium: `${request.realmUrl}/avatar/0/medium`,
  can_create_streams: false,
  can_create_public_streams: false,
  can_create_private_streams: false,
  can_create_web_public_streams: false,
  can_subscribe_other_users: false,
  can_invite_others_to_realm: false,
})
