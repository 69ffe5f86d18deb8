import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import { conversationOfChannel } from './conversations.ts'
import { FlagBit, HELD, RECEIVED } from './flags.ts'
import { topicKey } from './topics.ts'

export interface MessageReaction {
  emoji_name: string
  emoji_code: string
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'svc_extra_emoji'
  user_id: number
}

/** Reactions of many messages, each message's in the order they were added. */
export function reactionsByMessage(db: Reader, ids: readonly number[]): Map<number, MessageReaction[]> {
  const rows = db.sql<MessageReaction & { message_id: number }>(
    `SELECT message_id, emoji_name, emoji_code, reaction_type, user_id FROM reactions
      WHERE message_id IN (SELECT value FROM json_each(?)) AND realm_id = :realm ORDER BY id`,
    [JSON.stringify(ids)],
  )
  const byMessage = new Map<number, MessageReaction[]>()
  for (const { message_id, ...reaction } of rows) {
    const known = byMessage.get(message_id)
    if (known) known.push(reaction)
    else byMessage.set(message_id, [reaction])
  }
  return byMessage
}

export const rawContent = (db: Reader, id: number): string | undefined =>
  db.first(db.q.selectFrom('messages').select('content').where('id', '=', id))?.content

/** Where a message stands. */
export interface Place {
  id: number
  sender_id: number
  conversation_id: number
  channel_id: number | null
  dm_key: string | null
  topic: string
  timestamp: number
}

export const placesOf = (db: Reader, ids: readonly number[]): Place[] =>
  db.sql(
    `SELECT m.id, m.sender_id, m.conversation_id, c.channel_id, c.dm_key, m.topic, m.timestamp
       FROM messages m JOIN conversations c ON c.id = m.conversation_id
      WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
    [JSON.stringify(ids)],
  )

/** Id of the newest message the user received; -1 before the first. */
export function maxMessageId(db: Reader, user: User): number {
  const [row] = db.sql<{ id: number }>(
    `SELECT m.id FROM messages m WHERE m.realm_id = :realm AND ${RECEIVED} ORDER BY m.id DESC LIMIT 1`,
    [user.id],
  )
  return row?.id ?? -1
}

const firstInTopic = statement((q, conversationId: number, key: string) =>
  q
    .selectFrom('messages')
    .select('sender_id')
    .where('conversation_id', '=', conversationId)
    .where('topic_key', '=', key)
    .orderBy('id')
    .limit(1),
)

/** Who wrote the oldest message of a topic that the user can read. @param isOpen whether that is all of it */
export function firstSenderOfTopic(
  db: Reader,
  userId: number,
  channelId: number,
  topic: string,
  isOpen: boolean,
): number | undefined {
  const conversationId = conversationOfChannel(db, channelId)
  const key = topicKey(topic)
  if (isOpen) return db.first(firstInTopic(conversationId, key))?.sender_id
  const [row] = db.sql<{ sender_id: number }>(
    `SELECT m.sender_id FROM messages m
      WHERE m.conversation_id = ? AND m.topic_key = ? AND +m.realm_id = :realm AND ${HELD}
      ORDER BY m.id LIMIT 1`,
    [conversationId, key, userId, userId],
  )
  return row?.sender_id
}

/** Ids of the users who received a message that mentions them by name, or through a group. */
export const mentionedIds = (db: Reader, messageId: number): number[] =>
  db
    .sql<{ user_id: number }>(
      'SELECT user_id FROM message_flags WHERE realm_id = :realm AND message_id = ? AND flags & ?',
      [messageId, FlagBit.mentioned],
    )
    .map((row) => row.user_id)

/** The readers of messages that were moved on, or deleted, are nobody's any more. */
export function dropUnusedReaderLists(tx: Tx): void {
  tx.runSql(
    `DELETE FROM reader_lists WHERE realm_id = :realm
      AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.readers_id = reader_lists.id)`,
  )
}
/**
 * The topics of a channel as their newest messages name them, the most recent first.
 * @param readerId counts only messages that this user received; null counts all
 */
export const topicsOfChannel = (
  db: Reader,
  channelId: number,
  readerId: number | null,
): { topic: string; max_id: number }[] =>
  // SQLite takes the bare column of an aggregate with MAX from the row that has it.
  db.sql(
    `SELECT m.topic, MAX(m.id) AS max_id FROM conversations c JOIN messages m ON m.conversation_id = c.id
      WHERE c.realm_id = :realm AND c.channel_id = ? ${readerId === null ? '' : `AND ${HELD}`}
      GROUP BY m.topic_key ORDER BY max_id DESC`,
    readerId === null ? [channelId] : [channelId, readerId, readerId],
  )
