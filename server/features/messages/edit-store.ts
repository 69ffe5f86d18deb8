/** SQL of editing and moving. */
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { type Channel } from '../channels/store.ts'
import type { User } from '../users/access.ts'
import { hasOpenHistory } from './access.ts'
import { conversationOfChannel } from './conversations.ts'
import type { EditHistoryEntry } from './edit-history.ts'
import { HELD, RECEIVED_IN } from './flags.ts'
import { topicKey } from './topics.ts'

/** A message with the conversation it stands in. */
export interface EditedMessage extends Row<'messages'> {
  channel_id: number | null
  dm_key: string | null
}

export function messageToEdit(db: Reader, id: number): EditedMessage {
  const [row] = db.sql<EditedMessage>(
    `SELECT m.*, c.channel_id, c.dm_key FROM messages m JOIN conversations c ON c.id = m.conversation_id
      WHERE m.id = ? AND m.realm_id = :realm`,
    [id],
  )
  if (!row) throw new Error(`Message ${id} vanished`)
  return row
}

export const isWidget = (db: Reader, messageId: number): boolean =>
  db.first(db.q.selectFrom('submessages').select('id').where('message_id', '=', messageId).limit(1)) !==
  undefined

/** The messages of a topic that a user who may read in the channel may read, ascending. */
export function messagesOfTopic(
  db: Reader,
  user: User,
  channel: Channel,
  topic: string,
): { id: number; topic: string; timestamp: number }[] {
  const isOpen = hasOpenHistory(channel)
  return db.sql(
    `SELECT m.id, m.topic, m.timestamp FROM messages m
      WHERE m.conversation_id = ? AND m.topic_key = ? AND +m.realm_id = :realm ${isOpen ? '' : `AND ${HELD}`}
      ORDER BY m.id`,
    [conversationOfChannel(db, channel.id), topicKey(topic), ...(isOpen ? [] : [user.id, user.id])],
  )
}

export function isTopicInUse(db: Reader, channelId: number, topic: string): boolean {
  const message = db.first(
    db.q
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', conversationOfChannel(db, channelId))
      .where('topic_key', '=', topicKey(topic))
      .limit(1),
  )
  return message !== undefined
}

/** Stores new content, and what was there before as the newest entry of the history, or as a part of it. */
export function storeContent(
  tx: Tx,
  message: EditedMessage,
  edit: { content: string; rendered: string; userId: number; joinsMove: boolean },
): void {
  const { edit_history } = messageToEdit(tx, message.id)
  const entries = edit_history === null ? [] : (JSON.parse(edit_history) as EditHistoryEntry[])
  const before = { prev_content: message.content, prev_rendered_content: message.rendered_content }
  if (edit.joinsMove && entries[0]) entries[0] = { ...entries[0], ...before }
  else entries.unshift({ user_id: edit.userId, timestamp: tx.now, ...before })
  tx.run(
    tx.q
      .updateTable('messages')
      .set({
        content: edit.content,
        rendered_content: edit.rendered,
        last_edit_timestamp: tx.now,
        edit_history: JSON.stringify(entries),
      })
      .where('id', '=', message.id),
  )
}

export interface StoredMove {
  ids: readonly number[]
  /** The topic they get; left out where it stays. */
  topic?: string
  /** The channels, where they move to another one. */
  channels?: { from: Channel; to: Channel }
  userId: number
  /** Whether it counts as a move, rather than as resolving a topic. */
  isMove: boolean
}

/** Moves messages: one change of each row, whoever received them. */
export function storeMove(tx: Tx, { ids, topic, channels, userId, isMove }: StoredMove): void {
  const entry = [`'user_id', ${userId}`, `'timestamp', ${tx.now}`]
  const changes = [
    "edit_history = '[' || json_object(:entry) || COALESCE(',' || substr(edit_history, 2), ']')",
  ]
  const parameters: (string | number | null)[] = []
  if (topic !== undefined) {
    entry.push("'prev_topic', topic", "'topic', ?1")
    changes.push('topic = ?1', 'topic_key = ?2')
  }
  parameters.push(topic ?? '', topicKey(topic ?? ''))
  if (channels) {
    const conversationId = conversationOfChannel(tx, channels.to.id)
    entry.push(`'prev_stream', ${channels.from.id}`, `'stream', ${channels.to.id}`)
    changes.push(
      `conversation_id = ${conversationId}`,
      `received_in = NULLIF(${RECEIVED_IN.replaceAll('m.', '')}, ${conversationId})`,
      `readers_id = ${hasOpenHistory(channels.to) ? 'NULL' : readersNow(tx, channels.to)}`,
    )
  }
  if (isMove) changes.push(`last_moved_timestamp = ${tx.now}`)
  const list = JSON.stringify(ids)
  tx.runSql(
    `UPDATE messages SET ${changes.join(', ').replace(':entry', entry.join(', '))}
      WHERE realm_id = :realm AND id IN (SELECT value FROM json_each(?3))`,
    [...parameters, list],
  )
  if (!channels) return
  tx.runSql(
    `INSERT INTO moved_to (realm_id, received_in, conversation_id)
     SELECT DISTINCT :realm, received_in, conversation_id FROM messages
      WHERE realm_id = :realm AND id IN (SELECT value FROM json_each(?)) AND received_in IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [list],
  )
  moveTraffic(tx, channels.from.id, channels.to.id, list)
}

/** A list of the channel's subscribers at this moment: the readers of what is moved into its protected history. */
function readersNow(tx: Tx, channel: Channel): number {
  const listId = tx.insert('reader_lists', {})
  tx.runSql(
    `INSERT INTO readers (realm_id, list_id, user_id)
     SELECT :realm, ?, user_id FROM subscriptions WHERE realm_id = :realm AND channel_id = ? AND is_active = 1`,
    [listId, channel.id],
  )
  return listId
}

/** Messages count for the channel they are in. */
function moveTraffic(tx: Tx, fromId: number, toId: number, list: string): void {
  const days = tx.sql<{ day: number; count: number }>(
    `SELECT timestamp / 86400 AS day, COUNT(*) AS count FROM messages
      WHERE realm_id = :realm AND id IN (SELECT value FROM json_each(?)) GROUP BY 1`,
    [list],
  )
  for (const { day, count } of days) {
    tx.runSql(
      `UPDATE channel_traffic SET messages = MAX(messages - ?, 0)
        WHERE realm_id = :realm AND channel_id = ? AND day = ?`,
      [count, fromId, day],
    )
    tx.runSql(
      `INSERT INTO channel_traffic (realm_id, channel_id, day, messages) VALUES (:realm, ?, ?, ?)
       ON CONFLICT (channel_id, day) DO UPDATE SET messages = messages + excluded.messages`,
      [toId, day, count],
    )
  }
}
