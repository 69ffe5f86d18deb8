import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import type { User } from './access.ts'

/** The first message that somebody new finds. */
export function welcome(ctx: RealmContext, tx: Tx, user: User): void {
  const text = [
    `Hello, and welcome to **${ctx.realm.name.replaceAll('*', '')}**!`,
    'Conversations here are in *channels*, and each has a *topic*, so that many can go on side by side. ' +
      'Have a look around, and answer where you have something to say.',
    'This is a conversation with a bot that tells you what happens; nobody reads what you write here.',
  ].join('\n\n')
  sendNotification(ctx, tx, { users: [user] }, text)
}
