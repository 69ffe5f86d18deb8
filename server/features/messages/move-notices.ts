/** What the notification bot says in the topics that a move concerns. */
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { topicReference } from '../../services/markdown/mentions.ts'
import type { Channel } from '../channels/store.ts'
import type { Me } from '../users/access.ts'
import { isResolved, type Move } from './edit-access.ts'
import { sendNotification } from './notification-bot.ts'

export interface MoveNotices {
  /** How many messages were moved. */
  count: number
  /** Whether nothing of the topic is left where it was. */
  isWhole: boolean
  /** Whether the topic was only marked as resolved, or as no longer so. */
  isResolving: boolean
  notifiesOldTopic: boolean
  notifiesNewTopic: boolean
}

/** Resolving is told in the topic, whatever was asked for; a move where it was asked for. */
export function sendMoveNotices(ctx: RequestContext, tx: Tx, me: Me, move: Move, notices: MoveNotices): void {
  const { from, to, oldTopic, newTopic } = move
  const who = `@_**${me.full_name}|${me.id}**`
  if (notices.isResolving) {
    const mark = isResolved(newTopic) ? 'resolved' : 'unresolved'
    sendNotification(
      ctx,
      tx,
      { channelId: to.id, topic: newTopic },
      `${who} has marked this topic as ${mark}.`,
    )
    return
  }
  const { count, isWhole } = notices
  const [what, were] = isWhole
    ? ['This topic', 'was']
    : count === 1
      ? ['A message', 'was']
      : [`${count} messages`, 'were']
  if (notices.notifiesOldTopic) {
    const away = isWhole ? 'moved' : 'moved from this topic'
    const text = `${what} ${were} ${away} to ${nameFor(from, to, newTopic)} by ${who}.`
    sendNotification(ctx, tx, { channelId: from.id, topic: oldTopic }, text)
  }
  if (notices.notifiesNewTopic) {
    const text = `${what} ${were} moved here from ${nameFor(to, from, oldTopic)} by ${who}.`
    sendNotification(ctx, tx, { channelId: to.id, topic: newTopic }, text)
  }
}

/** Readers of one channel are not told the name of another that is private. */
const nameFor = (readers: Channel, channel: Channel, topic: string): string =>
  channel.invite_only && channel.id !== readers.id ? 'a private channel' : topicReference(channel, topic)
