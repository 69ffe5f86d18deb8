/** What changes about messages, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { renderMarkdown } from '../../services/markdown.ts'
import { type Channel, countMessage, updateChannel } from '../channels/store.ts'
import { MAX_MESSAGE_LENGTH } from '../realms/settings.ts'
import type { User } from '../users/access.ts'
import { conversationOfChannel, directConversation } from './conversations.ts'
import { flagNames, markNewAsRead } from './flags.ts'
import { presentMessage } from './present.ts'
import { receiverIds } from './store.ts'
import { topicKey } from './topics.ts'

/** Content that can be sent, and its HTML. */
export interface PreparedContent {
  content: string
  rendered: string
}

/** @throws BadRequestError when there is nothing in it, too much, or what cannot be text */
export function prepareContent(given: string): PreparedContent {
  const content = given.trimEnd()
  if (content.trim() === '') throw new BadRequestError('Message must not be empty')
  if (content.includes('\0')) throw new BadRequestError('Message must not contain null bytes')
  if ([...content].length > MAX_MESSAGE_LENGTH) {
    throw new BadRequestError(`Message is too long: at most ${MAX_MESSAGE_LENGTH} characters`)
  }
  return { content, rendered: renderMarkdown(content) }
}

export type Target = { channel: Channel; topic: string } | { users: readonly User[] }

export interface Sending {
  target: Target
  content: PreparedContent
  /** Name of the sending client. */
  client: string
  readBySender: boolean
  /** Address of the realm, for avatars. */
  realmUrl: string
  echo?: { queueId: string; localId: string }
  /** UNIX seconds; now when left out. */
  timestamp?: number
}

/**
 * Sends a message that its sender may send.
 * @returns its id
 */
export function sendMessage(ctx: RealmContext, tx: Tx, sender: User, sending: Sending): number {
  const { target, content, client, realmUrl, timestamp = tx.now } = sending
  const [channel, topic, users] =
    'channel' in target ? [target.channel, target.topic, []] : [null, '', target.users]
  const conversation_id = channel
    ? conversationOfChannel(tx, channel.id)
    : directConversation(
        tx,
        users.map(({ id }) => id),
      )
  const row = {
    conversation_id,
    sender_id: sender.id,
    topic,
    topic_key: topicKey(topic),
    content: content.content,
    rendered_content: content.rendered,
    client,
    timestamp,
  }
  const id = tx.insert('messages', row)
  if (channel) {
    if (channel.first_message_id === null) updateChannel(tx, channel.id, { first_message_id: id })
    countMessage(tx, channel.id, timestamp)
  }
  if (sending.readBySender) markNewAsRead(tx, sender.id, conversation_id, id)

  const full = {
    ...row,
    id,
    channel_id: channel?.id ?? null,
    channel_name: channel?.name ?? null,
    dm_key: null,
  }
  const form = { realmUrl, applyMarkdown: true, extAvatar: false, allowEmptyTopic: true }
  const message = presentMessage(ctx, full, sender, users, [], form)
  const receivers = receiverIds(tx, conversation_id)
  const received = new Set(receivers)
  tx.emit(
    { type: 'message', message, flags: [] },
    {
      to: receivers,
      personal: (userId) => ({
        flags: flagNames({
          received: received.has(userId),
          read: userId === sender.id && sending.readBySender,
          bits: 0,
        }),
      }),
      publicChannel: channel !== null && channel.invite_only === 0,
      rawContent: content.content,
      externalAvatar: sender.avatar_source === 'G',
      ...(sending.echo ? { echo: sending.echo } : {}),
    },
  )
  return id
}
