/** Changes to a channel's name, privacy and settings, and who hears of them. */
import type { RequestContext } from '../../context.ts'
import { bit } from '../../db/tables.ts'
import type { Tx } from '../../db/transaction.ts'
import type { EventOf } from '../../events/union.ts'
import { BadRequestError } from '../../http/errors.ts'
import { renderMarkdown } from '../../services/markdown.ts'
import { tellBotsOfName } from '../bots/announce.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { changedValue, type GroupSettingUpdate, presentValue } from '../user-groups/setting-param.ts'
import {
  channelPermissionNames,
  channelPermissions,
  type ChannelPermission,
} from '../user-groups/settings.ts'
import { parseGroupSetting } from '../user-groups/store.ts'
import { leaveGroups } from '../default-channel-groups/actions.ts'
import { assertAdministrator, type Me } from '../users/access.ts'
import { ChannelAccess } from './access.ts'
import { EVENTS_TOPIC, existing, setDefault, surroundings } from './actions.ts'
import { reachOfChannel, tellOfReading } from './audience.ts'
import { describePrivacy, describeRetention, describeValue, quoted } from './describe.ts'
import { presentChannel } from './present.ts'
import { type Channel, channelByName, channelNameKey, updateChannel } from './store.ts'
import { announceSight } from './visibility.ts'

/** What is to become of a channel; what is absent stays. */
export type ChannelChanges = {
  new_name?: string | undefined
  description?: string | undefined
  is_private?: boolean | undefined
  is_web_public?: boolean | undefined
  history_public_to_subscribers?: boolean | undefined
  is_default_stream?: boolean | undefined
  /** Null: as the organization keeps them; -1: for ever. */
  message_retention_days?: number | null | undefined
} & { [Name in ChannelPermission]?: GroupSettingUpdate | undefined }

type Update = Omit<Extract<EventOf<'stream'>, { op: 'update' }>, 'type' | 'op' | 'stream_id' | 'name'>

/** What a change does: to the row, in the events, and in the words of the notification bot. */
interface Plan {
  row: Partial<Channel>
  updates: Update[]
  notices: string[]
}

/**
 * Changes a channel that `me` may administer. All of it is possible, or nothing happens.
 * @throws BadRequestError
 */
export function changeChannel(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  channel: Channel,
  changes: ChannelChanges,
): void {
  const plan: Plan = { row: {}, updates: [], notices: [] }
  const by = `@_**${me.full_name}|${me.id}**`
  planPrivacy(ctx, tx, me, channel, changes, plan, by)
  planPermissions(ctx, tx, me, channel, changes, plan, by)
  planRetention(ctx, me, channel, changes, plan, by)
  planDescription(channel, changes, plan, by)
  planName(tx, channel, changes, plan, by)
  const staysPrivate = (plan.row.invite_only ?? channel.invite_only) === 1
  const isDefault = changes.is_default_stream ?? channel.is_default === 1
  if (isDefault && staysPrivate) throw new BadRequestError('A default channel cannot be private.')
  if (isDefault && channel.is_archived)
    throw new BadRequestError('An archived channel cannot be a default one.')
  if (plan.updates.length > 0) {
    const reach = reachOfChannel(ctx, tx, channel)
    const sawBefore = reach.see
    updateChannel(tx, channel.id, plan.row)
    if (plan.row.invite_only) leaveGroups(tx, channel.id)
    const changed = existing(tx, channel.id)
    const reachNow = reachOfChannel(ctx, tx, changed)
    const seeNow = reachNow.see
    announceSight(ctx, tx, changed, {
      gained: [...seeNow].filter((id) => !sawBefore.has(id)),
      lost: [...sawBefore].filter((id) => !seeNow.has(id)),
    })
    if (!channel.is_archived) tellOfReading(tx, channel.id, reach, reachNow)
    const to = [...seeNow].filter((id) => sawBefore.has(id))
    for (const update of plan.updates) {
      const { id: stream_id, name } = channel
      tx.emit({ type: 'stream', op: 'update', stream_id, name, ...update }, { to })
    }
    if (plan.row.name !== undefined) tellBotsOfName(tx, channel.id, plan.row.name)
    for (const notice of plan.notices) {
      sendNotification(ctx, tx, { channelId: channel.id, topic: EVENTS_TOPIC }, notice)
    }
  }
  if (isDefault !== (channel.is_default === 1)) setDefault(tx, existing(tx, channel.id), isDefault)
}

function planPrivacy(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  channel: Channel,
  changes: ChannelChanges,
  plan: Plan,
  by: string,
): void {
  const { is_private, is_web_public, history_public_to_subscribers } = changes
  if ([is_private, is_web_public, history_public_to_subscribers].every((given) => given === undefined)) return
  const access = new ChannelAccess(ctx, tx, me)
  assertMayChangePermissions(access, channel)
  const wasPrivate = channel.invite_only === 1
  const isPrivate = is_private ?? wasPrivate
  const isWebPublic = is_web_public ?? (!isPrivate && channel.is_web_public === 1)
  const kept = wasPrivate ? channel.history_public_to_subscribers === 1 : false
  const isHistoryOpen = history_public_to_subscribers ?? (isPrivate ? kept : true)
  if (isPrivate && isWebPublic) {
    throw new BadRequestError('Invalid parameters: a web-public channel cannot be private')
  }
  if (!isPrivate && !isHistoryOpen) {
    throw new BadRequestError('Invalid parameters: the history of a public channel is public')
  }
  if (!isPrivate && ctx.realm.settings.moderation_request_channel_id === channel.id) {
    throw new BadRequestError('Moderation request channel must be private.')
  }
  if (isWebPublic && !channel.is_web_public) assertMayBeWebPublic(ctx, access)
  const row = {
    invite_only: bit(isPrivate),
    is_web_public: bit(isWebPublic),
    history_public_to_subscribers: bit(isHistoryOpen),
  }
  const isSame =
    row.invite_only === channel.invite_only &&
    row.is_web_public === channel.is_web_public &&
    row.history_public_to_subscribers === channel.history_public_to_subscribers
  if (isSame) return
  Object.assign(plan.row, row)
  plan.updates.push({
    property: 'invite_only',
    value: isPrivate,
    history_public_to_subscribers: isHistoryOpen,
    is_web_public: isWebPublic,
  })
  const [before, after] = [describePrivacy(channel), describePrivacy({ ...channel, ...row })]
  plan.notices.push(`${by} changed who may read this channel from **${before}** to **${after}**.`)
}

/** @throws BadRequestError unless the server, the organization and the user's groups allow it */
export function assertMayBeWebPublic(ctx: RequestContext, access: ChannelAccess): void {
  if (!ctx.server.config.webPublicStreamsEnabled || !ctx.realm.settings.enable_spectator_access) {
    throw new BadRequestError('Web-public channels are not enabled.')
  }
  if (!access.holdsOfRealm('can_create_web_public_channel_group')) {
    throw new BadRequestError('Insufficient permission')
  }
}

/** Who does not take part in a private channel cannot let themselves or others in (specification, "PATCH /streams"). */
function assertMayChangePermissions(access: ChannelAccess, channel: Channel): void {
  if (channel.invite_only && !access.mayRead(channel)) {
    throw new BadRequestError('Channel content access is required.')
  }
}

function planPermissions(
  ctx: RequestContext,
  tx: Tx,
  me: Me,
  channel: Channel,
  changes: ChannelChanges,
  plan: Plan,
  by: string,
): void {
  for (const name of channelPermissionNames) {
    if (changes[name] === undefined) continue
    assertMayChangePermissions(new ChannelAccess(ctx, tx, me), channel)
    const current = parseGroupSetting(channel[name])
    const value = changedValue(tx, name, channelPermissions[name], current, changes[name])
    if (value === undefined) continue
    plan.row[name] = JSON.stringify(value)
    plan.updates.push({ property: name, value: presentValue(tx, value) })
    if (name !== 'can_send_message_group') continue
    // What older clients know of the same.
    const around = surroundings(tx, tx.now)
    const before = presentChannel(channel, around)
    const after = presentChannel({ ...channel, [name]: JSON.stringify(value) }, around)
    for (const property of ['stream_post_policy', 'is_announcement_only'] as const) {
      if (before[property] !== after[property]) plan.updates.push({ property, value: after[property] })
    }
    plan.notices.push(
      `${by} changed who may post in this channel:\n\n* **Before**: ${describeValue(tx, current)}\n` +
        `* **Now**: ${describeValue(tx, value)}`,
    )
  }
}

function planRetention(
  ctx: RequestContext,
  me: Me,
  channel: Channel,
  { message_retention_days: days }: ChannelChanges,
  plan: Plan,
  by: string,
): void {
  if (days === undefined) return
  // Whoever administers only the channel does not decide what is lost for ever.
  assertAdministrator(me)
  if (days === channel.message_retention_days) return
  plan.row.message_retention_days = days
  plan.updates.push({ property: 'message_retention_days', value: days })
  const words = (value: number | null) =>
    describeRetention(value ?? ctx.realm.settings.message_retention_days)
  plan.notices.push(
    `${by} changed how long messages of this channel are kept:\n\n` +
      `* **Before**: ${words(channel.message_retention_days)}\n* **Now**: ${words(days)}`,
  )
}

function planDescription(channel: Channel, { description }: ChannelChanges, plan: Plan, by: string): void {
  if (description === undefined || description === channel.description) return
  const rendered_description = renderMarkdown(description)
  Object.assign(plan.row, { description, rendered_description })
  plan.updates.push({ property: 'description', value: description, rendered_description })
  plan.notices.push(
    `${by} changed the description of this channel.\n\n* **Before**:\n${quoted(channel.description)}\n` +
      `* **Now**:\n${quoted(description)}`,
  )
}

function planName(
  tx: Tx,
  channel: Channel,
  { new_name: name }: ChannelChanges,
  plan: Plan,
  by: string,
): void {
  if (name === undefined || name === channel.name) return
  const holder = channel.is_archived ? undefined : channelByName(tx, name)
  if (holder && holder.id !== channel.id) throw new BadRequestError(`Channel '${name}' already exists`)
  Object.assign(plan.row, { name, name_key: channelNameKey(name) })
  plan.updates.push({ property: 'name', value: name })
  plan.notices.push(`${by} renamed this channel from **${channel.name}** to **${name}**.`)
}
