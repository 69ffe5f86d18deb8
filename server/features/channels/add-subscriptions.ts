import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { allowedValue, GroupSetting } from '../user-groups/setting-param.ts'
import {
  channelPermissionNames,
  channelPermissions,
  type ChannelPermission,
  type GroupSettingValue,
  type RealmPermission,
} from '../user-groups/settings.ts'
import { assertAdministrator, type Me, type User } from '../users/access.ts'
import { isAdministrator, isGuest } from '../users/roles.ts'
import { ChannelAccess } from './access.ts'
import { createChannel, EVENTS_TOPIC, type NewChannel, subscribe, surroundings } from './actions.ts'
import { describePrivacy, quoted } from './describe.ts'
import { ChannelDescription, ChannelName, parseRetention, RetentionDays } from './fields.ts'
import { Principals, principalsOf } from './principals.ts'
import { type Channel, channelByName, channelNameKey } from './store.ts'

const NamesByUser = z.record(z.string(), z.array(z.string()))

export const addSubscriptions = defineRoute({
  id: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to channels, creating those that do not exist',
  caller: 'user',
  params: {
    subscriptions: json(
      z.array(z.strictObject({ name: ChannelName, description: ChannelDescription.optional() })),
    ),
    principals: json(Principals.optional()),
    authorization_errors_fatal: text(z.boolean().default(true)),
    announce: text(z.boolean().default(false)),
    invite_only: text(z.boolean().default(false)),
    is_web_public: text(z.boolean().default(false)),
    is_default_stream: text(z.boolean().default(false)),
    history_public_to_subscribers: text(z.boolean().optional()),
    message_retention_days: text(RetentionDays.optional()),
    can_add_subscribers_group: json(GroupSetting.optional()),
    can_administer_channel_group: json(GroupSetting.optional()),
    can_remove_subscribers_group: json(GroupSetting.optional(), {
      aliases: ['can_remove_subscribers_group_id'],
    }),
    can_send_message_group: json(GroupSetting.optional()),
    can_subscribe_group: json(GroupSetting.optional()),
  },
  result: z.object({
    subscribed: NamesByUser,
    already_subscribed: NamesByUser,
    unauthorized: z.array(z.string()).optional(),
  }),
  run: (ctx, me, params) => ctx.transact((tx) => subscribeByName(ctx, tx, me, params)),
})

interface Request extends Options {
  subscriptions: readonly Wanted[]
  principals?: z.output<typeof Principals> | undefined
  authorization_errors_fatal: boolean
  announce: boolean
}

/**
 * Subscribes to channels by name, making those that are not there.
 * @throws BadRequestError when `me` may not make, join or add to one of them
 */
export function subscribeByName(ctx: RequestContext, tx: Tx, me: Me, params: Request) {
  const access = new ChannelAccess(ctx, tx, me)
  const users = principalsOf(tx, me, params.principals)
  const others = users.some((user) => user.id !== me.id)
  const { existing, missing } = sortOut(tx, params.subscriptions)
  // One that the user may not know of takes its name all the same; it is refused like any closed one.
  const refused = existing.filter((channel) => !maySubscribe(access, channel, others))
  if (refused.length > 0 && params.authorization_errors_fatal) {
    throw new BadRequestError(`Unable to access channel (${refused.map(({ name }) => name).join(', ')}).`)
  }
  if (missing.length > 0) assertMayCreate(ctx, access, me, params)
  if (missing.length > 0 && others && !access.holdsOfRealm('can_add_subscribers_group')) {
    throw new BadRequestError('Insufficient permission')
  }
  const created = missing.map(({ name, description }) =>
    createChannel(ctx, tx, { ...newChannel(tx, params, me), name, description: description ?? '' }),
  )
  const allowed = existing.filter((channel) => !refused.includes(channel))
  const outcome = subscribeAll(ctx, tx, [...allowed, ...created], users)
  tellSubscribed(ctx, tx, me, outcome.added)
  if (params.announce) announce(ctx, tx, me, created)
  return {
    subscribed: outcome.subscribed,
    already_subscribed: outcome.already_subscribed,
    ...(params.authorization_errors_fatal ? {} : { unauthorized: refused.map(({ name }) => name) }),
  }
}

type Wanted = { name: string; description?: string | undefined }

function sortOut(tx: Tx, wanted: readonly Wanted[]): { existing: Channel[]; missing: Wanted[] } {
  const existing = new Map<number, Channel>()
  const missing = new Map<string, Wanted>()
  for (const one of wanted) {
    const channel = channelByName(tx, one.name)
    if (channel) existing.set(channel.id, channel)
    else if (!missing.has(channelNameKey(one.name))) missing.set(channelNameKey(one.name), one)
  }
  return { existing: [...existing.values()], missing: [...missing.values()] }
}

function maySubscribe(access: ChannelAccess, channel: Channel, others: boolean): boolean {
  const isSubscribed = access.isSubscribed(channel)
  if (others) return access.mayRead(channel, isSubscribed) && access.maySubscribeOthers(channel, isSubscribed)
  if (isSubscribed || channel.is_web_public) return true
  return !isGuest(access.user) && access.mayRead(channel, isSubscribed)
}

type Options = {
  invite_only: boolean
  is_web_public: boolean
  is_default_stream: boolean
  history_public_to_subscribers?: boolean | undefined
  message_retention_days?: z.output<typeof RetentionDays> | undefined
} & { [Name in ChannelPermission]?: GroupSettingValue | undefined }

function assertMayCreate(ctx: RequestContext, access: ChannelAccess, me: Me, options: Options): void {
  const needed: RealmPermission = options.is_web_public
    ? 'can_create_web_public_channel_group'
    : options.invite_only
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group'
  if (isGuest(me) || !access.holdsOfRealm(needed)) throw new BadRequestError('Insufficient permission')
  if (
    options.is_web_public &&
    !(ctx.server.config.webPublicStreamsEnabled && ctx.realm.settings.enable_spectator_access)
  ) {
    throw new BadRequestError('Web-public channels are not enabled.')
  }
  if (options.is_web_public && options.invite_only) {
    throw new BadRequestError('Invalid parameters: a web-public channel cannot be private')
  }
  if (options.history_public_to_subscribers === false && !options.invite_only) {
    throw new BadRequestError('Invalid parameters: the history of a public channel is public')
  }
  if (options.is_default_stream && !isAdministrator(me)) throw new BadRequestError('Insufficient permission')
  if (options.is_default_stream && options.invite_only) {
    throw new BadRequestError('A default channel cannot be private.')
  }
  const keepsOtherwise =
    options.message_retention_days !== undefined && options.message_retention_days !== 'realm_default'
  if (keepsOtherwise) assertAdministrator(me)
}

function newChannel(tx: Tx, options: Options, me: Me): Omit<NewChannel, 'name' | 'description'> {
  const permissions: NewChannel['permissions'] = {}
  for (const name of channelPermissionNames) {
    const value = options[name]
    if (value !== undefined) permissions[name] = allowedValue(tx, name, channelPermissions[name], value)
  }
  return {
    creator_id: me.id,
    invite_only: options.invite_only,
    is_web_public: options.is_web_public,
    is_default: options.is_default_stream,
    history_public_to_subscribers: options.history_public_to_subscribers ?? !options.invite_only,
    message_retention_days: parseRetention(options.message_retention_days ?? 'realm_default'),
    permissions,
  }
}

function subscribeAll(ctx: RequestContext, tx: Tx, channels: readonly Channel[], users: readonly User[]) {
  const subscribed: Record<string, string[]> = {}
  const already_subscribed: Record<string, string[]> = {}
  const added = new Map<User, Channel[]>()
  const around = surroundings(tx, tx.now)
  for (const channel of channels) {
    const joined = new Set(subscribe(ctx, tx, channel, users, around))
    for (const user of users) {
      const list = joined.has(user) ? subscribed : already_subscribed
      list[user.id] = [...(list[user.id] ?? []), channel.name]
      if (joined.has(user)) added.set(user, [...(added.get(user) ?? []), channel])
    }
  }
  return { subscribed, already_subscribed, added }
}

/** Who was subscribed by somebody else is told so. */
function tellSubscribed(ctx: RequestContext, tx: Tx, me: Me, added: ReadonlyMap<User, Channel[]>): void {
  for (const [user, channels] of added) {
    if (user.id === me.id || user.is_bot) continue
    const list = channels.map(({ name }) => `#**${name}**`)
    const what =
      list.length === 1 ? `the channel ${list[0]}.` : `the following channels:\n\n* ${list.join('\n* ')}`
    sendNotification(ctx, tx, { users: [user] }, `@_**${me.full_name}|${me.id}** subscribed you to ${what}`)
  }
}

/** Tells of new channels, where their maker wants that: each in itself, and those open to all where these are told. */
function announce(ctx: RequestContext, tx: Tx, me: Me, created: readonly Channel[]): void {
  for (const channel of created) {
    const text =
      `**${describePrivacy(channel)}** channel created by @_**${me.full_name}|${me.id}**.` +
      (channel.description ? ` **Description:**\n${quoted(channel.description)}` : '')
    sendNotification(ctx, tx, { channelId: channel.id, topic: EVENTS_TOPIC }, text)
  }
  const channelId = ctx.realm.settings.new_stream_announcements_stream_id
  const open = created.filter((channel) => !channel.invite_only)
  if (channelId === null || open.length === 0) return
  const list = open.map(({ name }) => `#**${name}**`).join(', ')
  const text = `@_**${me.full_name}|${me.id}** created a new channel ${list}.`
  sendNotification(ctx, tx, { channelId, topic: 'new channels' }, text)
}
