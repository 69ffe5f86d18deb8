import { z } from 'zod'
import { BotObject } from './present.ts'

const bot = z.literal('realm_bot')

export const botEvents = [
  z.strictObject({ type: bot, op: z.literal('add'), bot: BotObject }),
  /** Its id, and what of it changed. */
  z.strictObject({
    type: bot,
    op: z.literal('update'),
    bot: BotObject.omit({ email: true, bot_type: true }).partial().required({ user_id: true }),
  }),
  z.strictObject({ type: bot, op: z.literal('delete'), bot: z.strictObject({ user_id: z.int() }) }),
] as const
