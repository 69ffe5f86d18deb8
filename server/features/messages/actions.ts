/** What changes about messages, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { countMessage, updateChannel } from '../channels/store.ts'
import { followWhereMentioned } from '../user-topics/actions.ts'
import type { User } from '../users/access.ts'
import { type PreparedContent, recordContent, type Target } from './content.ts'
import { conversationOfChannel, directConversation } from './conversations.ts'
import { flagNames, markNewAsRead } from './flags.ts'
import { presentMessage } from './present.ts'
import { receiverIds } from './store.ts'
import { topicKey } from './topics.ts'

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
  const bitsOf = recordContent(ctx, tx, { id, conversation_id, sender_id: sender.id }, content)
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
      personal: (userId) => {
        const isReceiver = received.has(userId)
        const read = userId === sender.id && sending.readBySender
        return { flags: flagNames({ received: isReceiver, read, bits: isReceiver ? bitsOf(userId) : 0 }) }
      },
      publicChannel: channel !== null && channel.invite_only === 0,
      rawContent: content.content,
      externalAvatar: sender.avatar_source === 'G',
      ...(sending.echo ? { echo: sending.echo } : {}),
    },
  )
  if (channel) {
    const mentioned = [...content.mentions.userIds].filter((userId) => received.has(userId))
    followWhereMentioned(tx, mentioned, { channelId: channel.id, topic })
  }
  return id
}
