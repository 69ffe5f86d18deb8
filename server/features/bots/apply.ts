/** Keeps the bots that a user may manage current. Pure: clients run it too. */
import { withItem } from '../../events/keep.ts'
import type { EventOf } from '../../events/union.ts'
import type { BotObject } from './present.ts'

export function applyToBots(part: BotObject[], event: EventOf<'realm_bot'>): BotObject[] {
  switch (event.op) {
    case 'add':
      return withItem(part, event.bot, ({ user_id }) => user_id).toSorted((a, b) => a.user_id - b.user_id)
    case 'update':
      return part.map((bot) => (bot.user_id === event.bot.user_id ? { ...bot, ...event.bot } : bot))
    case 'delete':
      return part.filter(({ user_id }) => user_id !== event.bot.user_id)
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}
