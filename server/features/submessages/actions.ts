/** What is added to messages by widgets, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { channelById } from '../channels/store.ts'
import { reachOf } from '../messages/audience.ts'
import { placesOf } from '../messages/store.ts'
import { followAfterParticipating } from '../user-topics/actions.ts'
import type { User } from '../users/access.ts'
import { firstSubmessage, insertSubmessage, type SubmessageObject } from './store.ts'
import { assertMaySay, widgetIn } from './widgets.ts'

/** Makes a new message a widget, if its content asks for it. @returns its submessages, for its event */
export function addWidget(tx: Tx, sender: User, messageId: number, content: string): SubmessageObject[] {
  const widget = widgetIn(content)
  if (!widget) return []
  const fields = { msg_type: 'widget', content: JSON.stringify(widget) }
  return [insertSubmessage(tx, { ...fields, message_id: messageId, sender_id: sender.id })]
}

/**
 * Says something to the widget of a message that the user may read.
 * @throws BadRequestError
 */
export function addSubmessage(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  messageId: number,
  content: string,
): void {
  const [place] = placesOf(tx, [messageId])
  const widget = firstSubmessage(tx, messageId)
  const isSender = place?.sender_id === user.id
  // Others only answer: what a message is, its sender begins.
  if (!place || (!widget && !isSender)) {
    throw new BadRequestError('You cannot attach a submessage to this message.')
  }
  assertMaySay(widget?.content, content, isSender)
  const { id, ...fields } = insertSubmessage(tx, {
    msg_type: 'widget',
    content,
    message_id: messageId,
    sender_id: user.id,
  })
  const channel = place.channel_id === null ? null : (channelById(tx, place.channel_id) ?? null)
  const { userIds } = reachOf(ctx, tx, channel, [messageId])
  tx.emit({ type: 'submessage', submessage_id: id, ...fields }, { to: [...userIds] })
  if (place.channel_id !== null)
    followAfterParticipating(ctx, tx, user, { channelId: place.channel_id, topic: place.topic })
}
