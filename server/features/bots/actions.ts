/** What changes about bots, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { randomKey } from '../../services/passwords.ts'
import { ChannelAccess } from '../channels/access.ts'
import { channelByName } from '../channels/store.ts'
import type { Me, User } from '../users/access.ts'
import { changeFullName, createUser, regenerateApiKey } from '../users/actions.ts'
import { currentUser, tellOfPerson } from '../users/announce.ts'
import { assertNameFree } from '../users/rules.ts'
import { updateUser, userById } from '../users/store.ts'
import { isAdministrator } from '../users/roles.ts'
import { managerIds, tellOfBot, tellOfNewBot } from './announce.ts'
import { type BotSettings, BotType, botsOf, saveBotSettings, saveService, serviceOf } from './store.ts'

export interface BotChannels {
  default_sending_stream?: string | undefined
  default_events_register_stream?: string | undefined
  default_all_public_streams?: boolean | undefined
}

export interface NewBot extends BotChannels {
  full_name: string
  short_name: string
  bot_type: number
  payload_url?: string | undefined
}

/** @throws BadRequestError */
export function createBot(ctx: RealmContext, tx: Tx, owner: Me, fields: NewBot): User {
  const { full_name, short_name, bot_type, payload_url } = fields
  assertBotName(ctx, tx, full_name, null)
  const isOutgoing = bot_type === BotType.outgoingWebhook
  if (isOutgoing && payload_url === undefined) throw new BadRequestError('payload_url is required')
  const email = `${short_name}-bot@${ctx.realm.stringId}.local`
  const bot = { type: bot_type, owner_id: owner.id }
  const { id } = createUser(ctx, tx, { email, full_name, password_hash: null, bot }, ctx.realmUrl)
  if (isOutgoing && payload_url !== undefined) {
    saveService(tx, id, { base_url: payload_url, token: randomKey(32) })
  }
  saveBotSettings(tx, id, settingsFrom(ctx, tx, owner, fields))
  const made = currentUser(tx, id)
  tellOfNewBot(ctx, tx, made)
  return made
}

/** Names of bots differ, so that it can be seen who speaks. @throws BadRequestError */
function assertBotName(ctx: RealmContext, tx: Tx, full_name: string, bot: User | null): void {
  assertNameFree(ctx, tx, full_name, bot)
  const key = full_name.toLowerCase()
  const isTaken = botsOf(tx, null).some(
    (other) => other.id !== bot?.id && other.is_active && other.full_name.toLowerCase() === key,
  )
  if (isTaken) throw new BadRequestError('Name is already in use.')
}

function settingsFrom(ctx: RealmContext, tx: Tx, me: Me, given: BotChannels): Partial<BotSettings> {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = given
  return {
    ...(default_sending_stream === undefined
      ? {}
      : { default_sending_channel_id: channelId(ctx, tx, me, default_sending_stream) }),
    ...(default_events_register_stream === undefined
      ? {}
      : { default_events_register_channel_id: channelId(ctx, tx, me, default_events_register_stream) }),
    ...(default_all_public_streams === undefined
      ? {}
      : { default_all_public_streams: bit(default_all_public_streams) }),
  }
}

/** An empty name takes the channel away. */
function channelId(ctx: RealmContext, tx: Tx, me: Me, name: string): number | null {
  if (name === '') return null
  const channel = channelByName(tx, name)
  if (!channel || !new ChannelAccess(ctx, tx, me).mayRead(channel)) {
    throw new BadRequestError(`Invalid channel name '${name}'`)
  }
  return channel.id
}

export interface BotChanges extends BotChannels {
  full_name?: string | undefined
  bot_owner_id?: number | undefined
  service_payload_url?: string | undefined
}

/** @throws BadRequestError */
export function changeBot(ctx: RealmContext, tx: Tx, me: Me, bot: User, changes: BotChanges): void {
  const { full_name, bot_owner_id, service_payload_url } = changes
  if (full_name !== undefined && full_name !== bot.full_name) {
    assertBotName(ctx, tx, full_name, bot)
    changeFullName(ctx, tx, bot, full_name)
  }
  if (service_payload_url !== undefined) {
    const service = serviceOf(tx, bot.id)
    if (!service) throw new BadRequestError('Only outgoing webhook bots have a payload URL')
    saveService(tx, bot.id, { base_url: service_payload_url, token: service.token })
    tellOfBot(tx, bot, {
      services: [{ base_url: service_payload_url, interface: 1, token: service.token }],
    })
  }
  const settings = settingsFrom(ctx, tx, me, changes)
  if (Object.keys(settings).length > 0) saveBotSettings(tx, bot.id, settings)
  for (const name of ['default_sending_stream', 'default_events_register_stream'] as const) {
    const value = changes[name]
    if (value !== undefined) tellOfBot(tx, bot, { [name]: value === '' ? null : value })
  }
  const { default_all_public_streams } = changes
  if (default_all_public_streams !== undefined) tellOfBot(tx, bot, { default_all_public_streams })
  if (bot_owner_id !== undefined) changeOwner(ctx, tx, bot, bot_owner_id)
}

function changeOwner(ctx: RealmContext, tx: Tx, bot: User, ownerId: number): void {
  if (ownerId === bot.bot_owner_id) return
  const owner = userById(tx, ownerId)
  if (!owner || owner.is_bot) throw new BadRequestError('Failed to change owner, no such user')
  if (!owner.is_active) throw new BadRequestError('Failed to change owner, user is deactivated')
  const before = bot.bot_owner_id === null ? undefined : userById(tx, bot.bot_owner_id)
  updateUser(tx, bot.id, { bot_owner_id: ownerId })
  const after = currentUser(tx, bot.id)
  tellOfPerson(ctx, tx, after, { user_id: bot.id, bot_owner_id: ownerId })
  // Administrators know it already; the two owners may gain and lose it.
  const knew = new Set(managerIds(tx, null))
  if (before?.is_active && !isAdministrator(before)) {
    tx.emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, { to: [before.id] })
  }
  if (!knew.has(ownerId)) tellOfNewBot(ctx, tx, after, [ownerId])
  const update = { user_id: bot.id, owner_id: ownerId }
  if (knew.size > 0) tx.emit({ type: 'realm_bot', op: 'update', bot: update }, { to: [...knew] })
}

export function regenerateBotKey(ctx: RealmContext, tx: Tx, bot: User): string {
  const api_key = regenerateApiKey(ctx, tx, bot)
  tellOfBot(tx, bot, { api_key })
  return api_key
}
