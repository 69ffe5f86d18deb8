/** What changes about messages, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { callBotsSpokenTo } from '../bots/spoken-to.ts'
import { noteMessage } from '../channels/activity.ts'
import { addWidget } from '../submessages/actions.ts'
import { muterIds } from '../muted-users/store.ts'
import { followWhereMentioned } from '../user-topics/actions.ts'
import { idsWhoMayNotAccess, type User } from '../users/access.ts'
import { watchAccess } from '../users/announce.ts'
import { asUnknown } from '../users/present.ts'
import { isGuest } from '../users/roles.ts'
import { userById } from '../users/store.ts'
import { columnsOf, type PreparedContent, recordContent, type Target } from './content.ts'
import { hasOpenEmail } from '../users/visibility.ts'
import { conversationOfChannel, directConversation, receiverIds } from './conversations.ts'
import { flagNames, markNewAsRead } from './flags.ts'
import { presentMessage } from './present.ts'
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
  // Who is written to directly may from then on know whoever is written to with them.
  const tellOfAccess = watchAccess(
    ctx,
    tx,
    users.map(({ id }) => id),
  )
  const conversation_id = channel
    ? conversationOfChannel(tx, channel.id)
    : directConversation(
        tx,
        users.map(({ id }) => id),
      )
  tellOfAccess()
  const row = {
    conversation_id,
    sender_id: sender.id,
    topic,
    topic_key: topicKey(topic),
    content: content.content,
    rendered_content: content.rendered,
    client,
    timestamp,
    ...columnsOf(content),
  }
  const id = tx.insert('messages', row)
  if (channel) {
    noteMessage(ctx, tx, channel, id, timestamp)
  }
  const bitsOf = recordContent(ctx, tx, { id, conversation_id, sender_id: sender.id }, content)
  const submessages = addWidget(tx, sender, id, content.content)
  if (sending.readBySender) markNewAsRead(tx, sender.id, conversation_id, id)

  const full = {
    ...row,
    id,
    channel_id: channel?.id ?? null,
    channel_name: channel?.name ?? null,
    dm_key: null,
  }
  const form = { realmUrl, viewer: null, applyMarkdown: true, extAvatar: false, allowEmptyTopic: true }
  const message = presentMessage(ctx, full, sender, users, { submessages }, form)
  const receivers = receiverIds(tx, conversation_id)
  const received = new Set(receivers)
  // Whoever muted the sender is not to be bothered with it.
  const readers = new Set(muterIds(tx, sender.id).filter((userId) => received.has(userId)))
  for (const userId of readers) markNewAsRead(tx, userId, conversation_id, id)
  const audience = {
    personal: (userId: number) => {
      const isReceiver = received.has(userId)
      const read = readers.has(userId) || (userId === sender.id && sending.readBySender)
      return { flags: flagNames({ received: isReceiver, read, bits: isReceiver ? bitsOf(userId) : 0 }) }
    },
    rawContent: content.content,
  }
  const strangers = idsWhoMayNotAccess(ctx, tx, sender)
  tx.emit(
    { type: 'message', message, flags: [] },
    {
      ...audience,
      to: receivers.filter((id) => !strangers.has(id)),
      ...(channel?.invite_only === 0 ? { publicTo: (userId) => isNoGuest(ctx, userId) } : {}),
      externalAvatar: sender.avatar_source === 'G' && hasOpenEmail(sender),
      ...(sending.echo ? { echo: sending.echo } : {}),
    },
  )
  const strangersReceiving = receivers.filter((id) => strangers.has(id))
  if (strangersReceiving.length > 0) {
    const unsigned = presentMessage(ctx, full, asUnknown(ctx.realm, sender), users, { submessages }, form)
    tx.emit({ type: 'message', message: unsigned, flags: [] }, { ...audience, to: strangersReceiving })
  }
  callBotsSpokenTo(ctx, tx, sender, { id, target, mentionedIds: content.mentions.userIds })
  if (channel) {
    const mentioned = [...content.mentions.userIds].filter((userId) => received.has(userId))
    followWhereMentioned(ctx, tx, mentioned, { channelId: channel.id, topic })
  }
  return id
}

function isNoGuest({ db }: RealmContext, userId: number): boolean {
  const user = userById(db, userId)
  return user !== undefined && !isGuest(user)
}
