/** Opens an event queue together with the snapshot it continues. */
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { eventTypes } from '../../events/union.ts'
import { json, text } from '../../http/params.ts'
import { FEATURE_LEVEL, MERGE_BASE, VERSION } from '../../version.ts'
import { botSnapshot } from '../bots/present.ts'
import { alertWordsOf } from '../alert-words/store.ts'
import { channelSnapshot, type Sight, sightOf, subscriptionSnapshot } from '../channels/snapshot.ts'
import { defaultChannelGroupsFor } from '../default-channel-groups/store.ts'
import { allDomains } from '../domains/store.ts'
import { draftSnapshot } from '../drafts/snapshot.ts'
import { linkifiersOf } from '../linkifiers/store.ts'
import { defaultChannels } from '../channels/store.ts'
import { allEmoji } from '../emoji/store.ts'
import { recentConversations, starredIds, unreadSnapshot } from '../messages/snapshot.ts'
import { maxMessageId } from '../messages/store.ts'
import { openSteps } from '../onboarding/steps.ts'
import { presentScheduled } from '../scheduled-messages/present.ts'
import { scheduledBy } from '../scheduled-messages/store.ts'
import { mutedBy } from '../muted-users/store.ts'
import { presenceSnapshot } from '../presence/present.ts'
import { statusSnapshot } from '../user-status/present.ts'
import { snippetsOf } from '../saved-snippets/store.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../realms/settings.ts'
import { profileFieldSnapshot } from '../profile-fields/present.ts'
import { playgroundsOf } from '../playgrounds/store.ts'
import { realmSnapshot } from '../realms/snapshot.ts'
import { mutedTopics, presentUserTopics, visibleUserTopics } from '../user-topics/snapshot.ts'
import { groupSnapshot } from '../user-groups/present.ts'
import {
  defaultsSnapshot,
  legacyDisplay,
  legacyNotifications,
  settingsSnapshot,
} from '../user-settings/snapshot.ts'
import type { Me } from '../users/access.ts'
import { isGuest } from '../users/roles.ts'
import { ownUserSnapshot, userSnapshot } from '../users/snapshot.ts'

export const capabilityNames = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
] as const
type Capability = (typeof capabilityNames)[number]

const Capabilities = z.object(
  Object.fromEntries(capabilityNames.map((name) => [name, z.boolean().default(false)])) as Record<
    Capability,
    z.ZodDefault<z.ZodBoolean>
  >,
)

export const registerParams = {
  apply_markdown: text(z.boolean().default(false)),
  client_extavatar: text(z.boolean().optional(), { description: 'Default true; false without an account.' }),
  include_subscribers: text(z.boolean().default(false)),
  slim_presence: text(z.boolean().default(false)),
  presence_history_limit_days: text(z.int().min(0).default(14)),
  event_types: json(z.array(z.string()).optional()),
  fetch_event_types: json(z.array(z.string()).optional()),
  all_public_streams: text(z.boolean().default(false)),
  client_capabilities: json(Capabilities.default(Capabilities.parse({}))),
  narrow: json(z.array(z.tuple([z.string(), z.string()])).default([])),
} as const

export type RegisterParams = {
  [Name in keyof typeof registerParams]: z.output<(typeof registerParams)[Name]['schema']>
}

/** What several parts of one snapshot are made of. */
interface Shared {
  sight: () => Sight
}

type Block = (ctx: RequestContext, me: Me, params: RegisterParams, shared: Shared) => object

/** What each fetch type brings. A type that is not here brings nothing (specification, "POST /register"). */
const blocks: Record<string, Block> = {
  alert_words: (ctx, me) => ({ alert_words: alertWordsOf(ctx.db, me.id) }),
  realm_linkifiers: (ctx, _me, { client_capabilities }) => ({
    // Clients that do not know templates would make wrong links of them.
    realm_linkifiers: client_capabilities.linkifier_url_template ? linkifiersOf(ctx.db) : [],
  }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: (ctx) => ({ realm_playgrounds: playgroundsOf(ctx.db) }),
  message: (ctx, me) => ({ max_message_id: maxMessageId(ctx.db, me) }),
  // It takes both to count what is unread.
  update_message_flags: (ctx, me, params) =>
    fetchedTypes(params).includes('message')
      ? { unread_msgs: unreadSnapshot(ctx, me, params.client_capabilities.empty_topic_name) }
      : {},
  starred_messages: (ctx, me) => ({ starred_messages: starredIds(ctx.db, me.id) }),
  recent_private_conversations: (ctx, me) => ({
    recent_private_conversations: recentConversations(ctx.db, me.id),
  }),
  // Every word is searched for, nothing is billed, and no integration is built in.
  stop_words: () => ({ stop_words: [] }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  realm: (ctx) => realmSnapshot(ctx),
  realm_domains: (ctx) => ({ realm_domains: allDomains(ctx.db) }),
  default_stream_groups: (ctx, me) => ({ realm_default_stream_groups: defaultChannelGroupsFor(ctx.db, me) }),
  realm_user: (ctx, me, params) => {
    const extAvatar = params.client_extavatar ?? true
    const viewing = { realm: ctx.realm, viewer: me, realmUrl: ctx.request.realmUrl, extAvatar }
    const namesUnknown = !params.client_capabilities.user_list_incomplete
    return { ...userSnapshot(ctx, me, viewing, { namesUnknown }), ...ownUserSnapshot(ctx, me, viewing) }
  },
  default_streams: (ctx, me) => ({
    realm_default_streams: isGuest(me) ? [] : defaultChannels(ctx.db).map(({ id }) => id),
  }),
  realm_user_groups: (ctx, _me, params) => {
    const { include_deactivated_groups: deactivated } = params.client_capabilities
    return { realm_user_groups: groupSnapshot(ctx, ctx.db, { deactivated }) }
  },
  user_settings: (_ctx, me) => settingsSnapshot(me),
  update_display_settings: (_ctx, me, params) =>
    params.client_capabilities.user_settings_object ? {} : legacyDisplay(me),
  update_global_notifications: (_ctx, me, params) =>
    params.client_capabilities.user_settings_object ? {} : legacyNotifications(me),
  realm_user_settings_defaults: (ctx) => defaultsSnapshot(ctx.db),
  realm_bot: (ctx, me) => botSnapshot(ctx, me),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  custom_profile_fields: (ctx) => profileFieldSnapshot(ctx.db),
  stream: (_ctx, _me, _params, { sight }) => ({ streams: channelSnapshot(sight()) }),
  subscription: (ctx, me, params, { sight }) =>
    subscriptionSnapshot(ctx, me, sight(), {
      includeSubscribers: params.include_subscribers,
      archivedChannels: params.client_capabilities.archived_channels,
      nullInherits: params.client_capabilities.notification_settings_null,
    }),
  realm_emoji: (ctx) => ({ realm_emoji: allEmoji(ctx.db) }),
  drafts: (ctx, me, { client_capabilities }) => ({
    drafts: draftSnapshot(ctx.db, me, client_capabilities.empty_topic_name),
  }),
  scheduled_messages: (ctx, me, { client_capabilities }) => ({
    scheduled_messages: scheduledBy(ctx.db, me.id).map((row) =>
      presentScheduled(row, client_capabilities.empty_topic_name),
    ),
  }),
  muted_users: (ctx, me) => ({ muted_users: mutedBy(ctx.db, me.id) }),
  user_status: (ctx, me) => ({ user_status: statusSnapshot(ctx, me) }),
  presence: (ctx, me, params) =>
    presenceSnapshot(ctx, me, {
      modern: params.slim_presence,
      historyDays: params.presence_history_limit_days,
    }),
  saved_snippets: (ctx, me) => ({ saved_snippets: snippetsOf(ctx.db, me.id) }),
  onboarding_steps: (ctx, me) => ({
    onboarding_steps: openSteps(ctx.db, me.id),
    navigation_tour_video_url: null,
  }),
  video_calls: (_ctx, me) => ({ has_call_token: me.has_call_token === 1 }),
  user_topic: (ctx, me, { client_capabilities }) => ({
    user_topics: presentUserTopics(visibleUserTopics(ctx, ctx.db, me), client_capabilities.empty_topic_name),
  }),
  // For clients that do not ask for `user_topic`, which says more.
  muted_topics: (ctx, me, { fetch_event_types, event_types, client_capabilities }) =>
    (fetch_event_types ?? event_types)?.includes('user_topic')
      ? {}
      : {
          muted_topics: mutedTopics(visibleUserTopics(ctx, ctx.db, me), client_capabilities.empty_topic_name),
        },
}

const fetchedTypes = ({ fetch_event_types, event_types }: RegisterParams): string[] =>
  (fetch_event_types ?? event_types ?? Object.keys(blocks)).filter((type) => Object.hasOwn(blocks, type))

/** The fetch types there are. */
export const fetchTypes: readonly string[] = Object.keys(blocks)

/** What tells clients how to talk to this server. */
export const versionFacts = {
  svc_feature_level: FEATURE_LEVEL,
  svc_version: VERSION,
  svc_merge_base: MERGE_BASE,
}

/** Takes the snapshot and opens the queue in one synchronous step, so that nothing can fall between them. */
export function registerQueue(ctx: RequestContext, me: Me, params: RegisterParams) {
  const types = params.event_types && new Set(params.event_types.filter((type) => eventTypes.has(type)))
  const fetched = new Set(fetchedTypes(params))
  let seen: Sight | undefined
  const shared = { sight: () => (seen ??= sightOf(ctx, me)) }
  const snapshot = Object.assign({}, ...[...fetched].map((type) => blocks[type]?.(ctx, me, params, shared)))
  const queue = ctx.server.hub.register({
    realmId: ctx.realm.id,
    userId: me.id,
    client: ctx.request.client,
    address: ctx.request.address,
    eventTypes: types ?? null,
    applyMarkdown: params.apply_markdown,
    extAvatar: params.client_extavatar ?? true,
    capabilities: params.client_capabilities,
    emptyTopicDisplayName: EMPTY_TOPIC_DISPLAY_NAME,
    allPublicStreams: params.all_public_streams,
    narrow: params.narrow,
  })
  return {
    ...snapshot,
    queue_id: queue.id,
    last_event_id: queue.lastEventId,
    ...versionFacts,
  }
}
