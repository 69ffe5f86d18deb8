/** Message flags: `read` follows from a cursor with exceptions, the others are bits of a sparse row. */
import type { Reader, Tx } from '../../db/transaction.ts'

/** Bits of `message_flags.flags`. Their numbers are stored: never change one. */
export const FlagBit = {
  starred: 1,
  mentioned: 2,
  stream_wildcard_mentioned: 4,
  topic_wildcard_mentioned: 8,
  has_alert_word: 16,
  collapsed: 32,
} as const

const bits = Object.entries(FlagBit)

export interface FlagState {
  /** Whether the message came to the user, rather than being history from before or after a subscription. */
  received: boolean
  read: boolean
  bits: number
}

/** The names of a reader's flags, as the interface lists them. */
export function flagNames({ received, read, bits: set }: FlagState): string[] {
  const names = bits.filter(([, bit]) => set & bit).map(([name]) => name)
  if (set & (FlagBit.stream_wildcard_mentioned | FlagBit.topic_wildcard_mentioned))
    names.push('wildcard_mentioned')
  if (read || !received) names.unshift('read')
  if (!received) names.push('historical')
  return names
}

/** SQL of the conversation whose spans, cursors and exceptions speak of a message `m`: where it was sent. */
export const RECEIVED_IN = 'COALESCE(m.received_in, m.conversation_id)'

/** SQL that is true of a message `m` which was not moved out of the user's reach. @param user the user's id in SQL */
const isReader = (user: string): string => `EXISTS (SELECT 1 FROM readers l
  WHERE l.list_id = m.readers_id AND l.user_id = ${user})`

/** SQL that is true where the span `s` of its user has brought them the message `m`. */
export const IN_SPAN = `s.from_id < m.id AND (s.to_id IS NULL OR m.id <= s.to_id)
  AND (m.readers_id IS NULL OR ${isReader('s.user_id')})`

/** SQL that is true of a message `m` which a user received. @param user the user's id in SQL; it appears once */
const receivedBy = (user: string): string => `EXISTS (SELECT 1 FROM spans s
  WHERE s.user_id = ${user} AND s.conversation_id = ${RECEIVED_IN} AND ${IN_SPAN})`

/** {@link receivedBy} of the user `?`. */
export const RECEIVED = receivedBy('?')

/**
 * SQL that is true of a message `m` of a channel with protected history which the user (`?`, twice) may read there:
 * it was received, or moved there while the user was subscribed.
 */
export const HELD = `(${RECEIVED} OR ${isReader('?')})`

/** SQL that is true of a message `m` which a user has read. @param user the user's id in SQL; it appears twice */
export const readBy = (user: string): string => `((m.id <= COALESCE((SELECT r.read_through FROM read_cursors r
    WHERE r.user_id = ${user} AND r.conversation_id = ${RECEIVED_IN}), 0))
  <> EXISTS (SELECT 1 FROM read_exceptions x
    WHERE x.user_id = ${user} AND x.conversation_id = ${RECEIVED_IN} AND x.message_id = m.id))`

/** {@link readBy} of the user `?`, twice. */
export const READ = readBy('?')

/** SQL that is true of a message `m` which the user `?`, three times, received and has not read. */
export const UNREAD = `(${RECEIVED} AND NOT ${READ})`

/** Marks one new message as read: by moving the cursor where nothing unread lies between, else by an exception. */
export function markNewAsRead(tx: Tx, userId: number, conversationId: number, messageId: number): void {
  const between = `m.id < ?3 AND m.id > COALESCE(
         (SELECT read_through FROM read_cursors WHERE user_id = ?1 AND conversation_id = ?2), 0)`
  const moved = tx.runSql(
    `INSERT INTO read_cursors (realm_id, user_id, conversation_id, read_through)
     SELECT :realm, ?1, ?2, ?3
      WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = ?2 AND ${between})
        AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.received_in = ?2 AND ${between})
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET read_through = excluded.read_through`,
    [userId, conversationId, messageId],
  )
  if (moved === 0) {
    tx.insert('read_exceptions', { user_id: userId, conversation_id: conversationId, message_id: messageId })
  }
}

/** The bits that follow from a message's content; the others are the reader's own. */
export const CONTENT_BITS =
  FlagBit.mentioned |
  FlagBit.stream_wildcard_mentioned |
  FlagBit.topic_wildcard_mentioned |
  FlagBit.has_alert_word

/** The bits by which a message counts as one that mentions its reader. */
export const MENTION_BITS = CONTENT_BITS & ~FlagBit.has_alert_word

/**
 * SQL of the bits of a message `m` for a user: the user's own row, and what everybody has who received the message.
 * A channel wildcard is stored once, in `messages.shared_flags`. @param user the user's id in SQL; it appears twice
 */
const bitsOf = (user: string): string => `(COALESCE((SELECT f.flags FROM message_flags f
    WHERE f.user_id = ${user} AND f.message_id = m.id), 0)
  | CASE WHEN m.shared_flags > 0 AND ${receivedBy(user)} THEN m.shared_flags ELSE 0 END)`

/** The names of the flags that a message has for each of many users. */
export function flagNamesByUser(
  db: Reader,
  messageId: number,
  userIds: readonly number[],
): Map<number, string[]> {
  const rows = db.sql<{ user_id: number; received: number; read: number; bits: number }>(
    `SELECT u.value AS user_id, ${receivedBy('u.value')} AS received, ${readBy('u.value')} AS read,
       ${bitsOf('u.value')} AS bits
     FROM json_each(?) u JOIN messages m ON m.id = ? AND m.realm_id = :realm`,
    [JSON.stringify(userIds), messageId],
  )
  return new Map(
    rows.map(({ user_id, received, read, bits }) => [
      user_id,
      flagNames({ received: received === 1, read: read === 1, bits }),
    ]),
  )
}

/** Sets flags of one message for a user, beside those that are set. */
export function setFlagBits(tx: Tx, userId: number, messageId: number, flags: number): void {
  tx.runSql(
    `INSERT INTO message_flags (realm_id, user_id, message_id, flags) VALUES (:realm, ?, ?, ?)
     ON CONFLICT (user_id, message_id) DO UPDATE SET flags = flags | excluded.flags`,
    [userId, messageId, flags],
  )
}
