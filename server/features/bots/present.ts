/** Bots as those who may manage them see them. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { channelById } from '../channels/store.ts'
import type { User } from '../users/access.ts'
import { avatarUrl } from '../users/present.ts'
import { isAdministrator } from '../users/roles.ts'
import { apiEmail } from '../users/visibility.ts'
import { botSettingsOf, botsOf, serviceOf } from './store.ts'

const Service = z.strictObject({ base_url: z.string(), interface: z.literal([1, 2]), token: z.string() })

export const BotObject = z.strictObject({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  avatar_url: z.string(),
  bot_type: z.literal([1, 2, 3, 4]),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
  default_all_public_streams: z.boolean(),
  default_events_register_stream: z.string().nullable(),
  default_sending_stream: z.string().nullable(),
  services: z.array(Service),
})
export type BotObject = z.output<typeof BotObject>

export function presentBot(ctx: RealmContext, db: Reader, bot: User): BotObject {
  const settings = botSettingsOf(db, bot.id)
  const service = serviceOf(db, bot.id)
  const channelName = (id: number | null) => (id === null ? null : (channelById(db, id)?.name ?? null))
  return {
    user_id: bot.id,
    email: apiEmail(ctx.realm, bot),
    full_name: bot.full_name,
    api_key: bot.api_key,
    avatar_url: avatarUrl(bot, ctx.realmUrl),
    bot_type: (bot.bot_type ?? 1) as BotObject['bot_type'],
    is_active: bot.is_active === 1,
    owner_id: bot.bot_owner_id,
    default_all_public_streams: settings.default_all_public_streams === 1,
    default_events_register_stream: channelName(settings.default_events_register_channel_id),
    default_sending_stream: channelName(settings.default_sending_channel_id),
    services: service ? [{ base_url: service.base_url, interface: 1, token: service.token }] : [],
  }
}

/** The bots that a user may manage: an administrator all, others their own. */
export const botSnapshot = (ctx: RealmContext, me: User) => ({
  realm_bots: botsOf(ctx.db, isAdministrator(me) ? null : me.id).map((bot) => presentBot(ctx, ctx.db, bot)),
})
