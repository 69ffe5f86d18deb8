/** Notes which outgoing webhook bots a new message is for. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { ChannelAccess } from '../channels/access.ts'
import type { Target } from '../messages/content.ts'
import type { User } from '../users/access.ts'
import { usersByIds } from '../users/store.ts'
import { BotType } from './store.ts'

/**
 * Bots are called when they are mentioned where they may read, or written to directly. What bots write calls nobody, so
 * that two of them cannot keep each other busy.
 */
export function callBotsSpokenTo(
  ctx: RealmContext,
  tx: Tx,
  sender: User,
  message: { id: number; target: Target; mentionedIds: ReadonlySet<number> },
): void {
  const { id, target, mentionedIds } = message
  if (sender.is_bot) return
  const isService = (user: User) => user.bot_type === BotType.outgoingWebhook && user.is_active === 1
  const called =
    'users' in target
      ? target.users.filter(isService)
      : mentionedIds.size === 0
        ? []
        : usersByIds(tx, [...mentionedIds])
            .filter(isService)
            .filter((bot) => new ChannelAccess(ctx, tx, bot).mayRead(target.channel))
  for (const bot of called) {
    const cause = 'users' in target ? 'direct_message' : 'mention'
    tx.insert('bot_calls', { bot_id: bot.id, message_id: id, cause, realm_url: ctx.realmUrl })
  }
  if (called.length > 0) tx.afterwards(() => ctx.server.botCalls.wake())
}
