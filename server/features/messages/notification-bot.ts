/** Messages that the server itself sends, from the realm's notification bot. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { channelById } from '../channels/store.ts'
import type { User } from '../users/access.ts'
import { systemBots } from '../users/store.ts'
import { sendMessage } from './actions.ts'
import { prepareContent, type Target } from './content.ts'

/** Sends a notice to users directly, or to a channel; one to a channel that is gone is dropped. */
export function sendNotification(
  ctx: RealmContext,
  tx: Tx,
  to: { users: User[] } | { channelId: number; topic: string },
  content: string,
): void {
  const [bot] = systemBots(tx)
  if (!bot) return
  let target: Target
  if ('users' in to) {
    target = { users: [bot, ...to.users] }
  } else {
    const channel = channelById(tx, to.channelId)
    if (!channel || channel.is_archived) return
    target = { channel, topic: to.topic }
  }
  const { realmUrl } = ctx
  sendMessage(ctx, tx, bot, {
    target,
    content: prepareContent(ctx, tx, bot, content, target),
    client: 'Internal',
    readBySender: true,
    realmUrl,
  })
}
