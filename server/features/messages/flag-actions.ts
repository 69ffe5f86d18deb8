/** Setting and clearing flags, and who hears of it: only the reader whose flags they are. */
import type { Tx } from '../../db/transaction.ts'
import type { User as FullUser } from '../users/access.ts'
import { isSubscribedTo } from '../channels/store.ts'
import { dmUserIds } from './conversations.ts'
import { FlagBit, IN_SPAN, MENTION_BITS, READ, RECEIVED, RECEIVED_IN } from './flags.ts'

/** What is needed to know of the reader. */
type User = Pick<FullUser, 'id'>

/** The flags that clients may set. The others follow from what is in the message. */
export const editableFlags = ['read', 'starred', 'collapsed'] as const
export type EditableFlag = (typeof editableFlags)[number]

interface Flagged {
  id: number
  /** The conversation in which it was received. */
  received_in: number
  channel_id: number | null
  dm_key: string | null
  topic: string
  received: number
  read: number
  /** Of the user's own row. */
  bits: number
  shared_flags: number
}

export interface FlagOutcome {
  /** Ids whose flag really changed, ascending. */
  changed: number[]
  /** Channels in which nothing was marked as unread, since the reader is not subscribed there. */
  notSubscribed: number[]
}

/**
 * Sets or clears a flag on messages that the user may read.
 * @param ids ascending, as `readableIds` gives them
 */
export function changeFlag(
  tx: Tx,
  user: User,
  ids: readonly number[],
  flag: EditableFlag,
  op: 'add' | 'remove',
): FlagOutcome {
  const messages = flagged(tx, user, ids)
  if (flag === 'read') return op === 'add' ? markRead(tx, user, messages) : markUnread(tx, user, messages)
  const bit = FlagBit[flag]
  const changed = messages.filter(({ bits }) => ((bits & bit) !== 0) !== (op === 'add'))
  for (const { id, bits } of changed) storeBits(tx, user.id, id, op === 'add' ? bits | bit : bits & ~bit)
  tell(tx, user, flag, op, changed)
  return { changed: changed.map(({ id }) => id), notSubscribed: [] }
}

function flagged(tx: Tx, user: User, ids: readonly number[]): Flagged[] {
  return tx.sql<Flagged>(
    `SELECT m.id, ${RECEIVED_IN} AS received_in, c.channel_id, c.dm_key, m.topic,
       ${RECEIVED} AS received, ${READ} AS read, COALESCE(f.flags, 0) AS bits, m.shared_flags
     FROM messages m JOIN conversations c ON c.id = m.conversation_id
     LEFT JOIN message_flags f ON f.user_id = ? AND f.message_id = m.id
     WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
    [user.id, user.id, user.id, user.id, JSON.stringify(ids)],
  )
}

function storeBits(tx: Tx, userId: number, messageId: number, bits: number): void {
  if (bits === 0) {
    tx.runSql('DELETE FROM message_flags WHERE realm_id = :realm AND user_id = ? AND message_id = ?', [
      userId,
      messageId,
    ])
    return
  }
  tx.runSql(
    `INSERT INTO message_flags (realm_id, user_id, message_id, flags) VALUES (:realm, ?, ?, ?)
     ON CONFLICT (user_id, message_id) DO UPDATE SET flags = excluded.flags`,
    [userId, messageId, bits],
  )
}

function markRead(tx: Tx, user: User, messages: readonly Flagged[]): FlagOutcome {
  const changed = messages.filter(({ received, read }) => received && !read)
  for (const message of changed) toggleException(tx, user.id, message)
  for (const id of new Set(changed.map((message) => message.received_in))) advanceCursor(tx, user.id, id)
  tell(tx, user, 'read', 'add', changed)
  return { changed: changed.map(({ id }) => id), notSubscribed: [] }
}

function markUnread(tx: Tx, user: User, messages: readonly Flagged[]): FlagOutcome {
  const channelIds = new Set(messages.flatMap(({ channel_id }) => channel_id ?? []))
  const notSubscribed = [...channelIds].filter((id) => !isSubscribedTo(tx, user.id, id))
  const skipped = new Set<number | null>(notSubscribed)
  const changed = messages.filter(
    ({ channel_id, received, read }) => received && read && !skipped.has(channel_id),
  )
  for (const message of changed) toggleException(tx, user.id, message)
  tell(tx, user, 'read', 'remove', changed)
  return { changed: changed.map(({ id }) => id), notSubscribed }
}

function toggleException(tx: Tx, userId: number, { id, received_in }: Flagged): void {
  const removed = tx.runSql(
    `DELETE FROM read_exceptions
      WHERE realm_id = :realm AND user_id = ? AND conversation_id = ? AND message_id = ?`,
    [userId, received_in, id],
  )
  if (removed > 0) return
  tx.insert('read_exceptions', { user_id: userId, conversation_id: received_in, message_id: id })
}

/** Moves the cursor over what has become read above it, so that its exceptions stay few. */
function advanceCursor(tx: Tx, userId: number, conversationId: number): void {
  const [cursor] = tx.sql<{ read_through: number }>(
    'SELECT read_through FROM read_cursors WHERE realm_id = :realm AND user_id = ? AND conversation_id = ?',
    [userId, conversationId],
  )
  const from = cursor?.read_through ?? 0
  const unreadAmong = (those: string) => `SELECT m.id FROM messages m
      WHERE ${those} AND m.id > ?3 AND m.realm_id = :realm
        AND NOT EXISTS (SELECT 1 FROM read_exceptions x
          WHERE x.user_id = ?1 AND x.conversation_id = ?2 AND x.message_id = m.id)
        AND EXISTS (SELECT 1 FROM spans s WHERE s.user_id = ?1 AND s.conversation_id = ?2 AND ${IN_SPAN})`
  const ofConversation = 'm.conversation_id = ?2 AND m.received_in IS NULL'
  const [unread] = tx.sql<{ id: number }>(
    `SELECT id FROM (SELECT * FROM (${unreadAmong(ofConversation)} ORDER BY m.id LIMIT 1)
       UNION ALL SELECT * FROM (${unreadAmong('m.received_in = ?2')} ORDER BY m.id LIMIT 1))
      ORDER BY id LIMIT 1`,
    [userId, conversationId, from],
  )
  const [newest] = tx.sql<{ id: number | null }>(
    'SELECT MAX(id) AS id FROM messages WHERE conversation_id = ? AND realm_id = :realm',
    [conversationId],
  )
  const to = unread ? unread.id - 1 : (newest?.id ?? from)
  if (to <= from) return
  // Above the cursor an exception says read; below it the same row would say unread.
  tx.runSql(
    `DELETE FROM read_exceptions
      WHERE realm_id = :realm AND user_id = ? AND conversation_id = ? AND message_id > ? AND message_id <= ?`,
    [userId, conversationId, from, to],
  )
  tx.runSql(
    `INSERT INTO read_cursors (realm_id, user_id, conversation_id, read_through) VALUES (:realm, ?, ?, ?)
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET read_through = excluded.read_through`,
    [userId, conversationId, to],
  )
}

/** Ids of everything unread, of one channel, topic or sender, or of all. */
export function unreadIds(
  tx: Tx,
  user: User,
  where: { conversationId?: number; topicKey?: string; senderId?: number } = {},
): number[] {
  const { conversationId, topicKey, senderId } = where
  const rows = tx.sql<{ id: number }>(
    `SELECT m.id FROM messages m
      WHERE m.realm_id = :realm AND ${RECEIVED} AND NOT ${READ}
        ${conversationId === undefined ? '' : 'AND m.conversation_id = ?'}
        ${topicKey === undefined ? '' : 'AND m.topic_key = ?'}
        ${senderId === undefined ? '' : 'AND m.sender_id = ?'}
      ORDER BY m.id`,
    [
      user.id,
      user.id,
      user.id,
      ...(conversationId === undefined ? [] : [conversationId]),
      ...(topicKey === undefined ? [] : [topicKey]),
      ...(senderId === undefined ? [] : [senderId]),
    ],
  )
  return rows.map(({ id }) => id)
}

/** Tells users to whom a channel is open again what they had left unread there, which clients had forgotten. */
export const tellOfUnreadIn = (tx: Tx, channelId: number, userIds: readonly number[]): void =>
  tellOfLeftUnread(tx, channelId, userIds, 'remove')

/**
 * Tells users who may no longer read a channel, though they still know of it, that nothing there is left for them to
 * read. What they had not read is so still, should they come back.
 */
export const tellOfNothingUnreadIn = (tx: Tx, channelId: number, userIds: readonly number[]): void =>
  tellOfLeftUnread(tx, channelId, userIds, 'add')

function tellOfLeftUnread(tx: Tx, channelId: number, userIds: readonly number[], op: 'add' | 'remove'): void {
  if (userIds.length === 0) return
  const back = tx.sql<{ id: number; conversation_id: number }>(
    `SELECT DISTINCT s.user_id AS id, c.id AS conversation_id FROM conversations c
       JOIN spans s ON s.to_id IS NOT NULL AND (s.conversation_id = c.id OR s.conversation_id IN (
         SELECT t.received_in FROM moved_to t WHERE t.conversation_id = c.id))
      WHERE c.realm_id = :realm AND c.channel_id = ? AND s.user_id IN (SELECT value FROM json_each(?))`,
    [channelId, JSON.stringify(userIds)],
  )
  for (const { id, conversation_id } of back) {
    const ids = unreadIds(tx, { id }, { conversationId: conversation_id })
    tell(tx, { id }, 'read', op, flagged(tx, { id }, ids))
  }
}

/** Takes the stars off messages that these users can no longer read. */
export function dropStars(tx: Tx, messageIds: readonly number[], userIds: readonly number[]): void {
  const parameters = [JSON.stringify(messageIds), JSON.stringify(userIds)]
  const those = `realm_id = :realm AND message_id IN (SELECT value FROM json_each(?))
    AND user_id IN (SELECT value FROM json_each(?))`
  tx.runSql(`UPDATE message_flags SET flags = flags & ~${FlagBit.starred} WHERE ${those}`, parameters)
  tx.runSql(`DELETE FROM message_flags WHERE ${those} AND flags = 0`, parameters)
}

function tell(
  tx: Tx,
  user: User,
  flag: EditableFlag,
  op: 'add' | 'remove',
  messages: readonly Flagged[],
): void {
  if (messages.length === 0) return
  const ids = messages.map(({ id }) => id)
  if (op === 'add') {
    tx.emit(
      { type: 'update_message_flags', op, operation: op, flag, messages: ids, all: false },
      { to: [user.id] },
    )
    return
  }
  const message_details =
    flag === 'read'
      ? Object.fromEntries(messages.map((message) => [message.id, detailsOf(message, user)]))
      : undefined
  tx.emit(
    {
      type: 'update_message_flags',
      op,
      operation: op,
      flag,
      messages: ids,
      all: false,
      ...(message_details ? { message_details } : {}),
    },
    { to: [user.id] },
  )
}

/** What a client needs to count a message as unread that it may never have fetched. */
function detailsOf({ channel_id, dm_key, topic, bits, shared_flags }: Flagged, user: User) {
  // Only what was received becomes unread.
  const mentioned = (bits | shared_flags) & MENTION_BITS
  return {
    ...(channel_id === null
      ? { type: 'private' as const, user_ids: dmUserIds(dm_key ?? '').filter((id) => id !== user.id) }
      : { type: 'stream' as const, stream_id: channel_id, topic }),
    ...(mentioned ? { mentioned: true } : {}),
  }
}
