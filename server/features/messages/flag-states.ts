/** The flags of many messages at once: one look at each conversation's spans and cursor, not three at each message. */
import type { Reader } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import type { FlagState } from './flags.ts'

/** What of a message its reader's flags follow from. */
export interface MarkedMessage {
  id: number
  /** The conversation in which it was received. */
  received_in: number
  /** Those who still have it, where it was moved into protected history. */
  readers_id: number | null
  shared_flags: number
  /** The reader's own bits; null where none is set. */
  flags: number | null
}

interface ConversationState {
  spans: { from_id: number; to_id: number | null }[]
  readThrough: number
}

/** @returns the state of each of these messages for a user */
export function flagStates(
  db: Reader,
  user: User,
  messages: readonly MarkedMessage[],
): (message: MarkedMessage) => FlagState {
  const conversations = conversationStates(db, user.id, [
    ...new Set(messages.map((message) => message.received_in)),
  ])
  const exceptions = readExceptions(db, user.id, messages)
  const lists = readerLists(db, user.id, messages)
  return (message) => {
    const { spans = [], readThrough = 0 } = conversations.get(message.received_in) ?? {}
    const received =
      spans.some(({ from_id, to_id }) => from_id < message.id && (to_id === null || message.id <= to_id)) &&
      (message.readers_id === null || lists.has(message.readers_id))
    return {
      received,
      read: message.id <= readThrough !== exceptions.has(message.id),
      bits: (message.flags ?? 0) | (received ? message.shared_flags : 0),
    }
  }
}

function conversationStates(db: Reader, userId: number, ids: number[]): Map<number, ConversationState> {
  const rows = db.sql<{ id: number; from_id: number | null; to_id: number | null; read_through: number }>(
    `SELECT w.value AS id, s.from_id, s.to_id, COALESCE(r.read_through, 0) AS read_through FROM json_each(?) w
       LEFT JOIN spans s ON s.user_id = ? AND s.conversation_id = w.value AND s.realm_id = :realm
       LEFT JOIN read_cursors r ON r.user_id = ? AND r.conversation_id = w.value`,
    [JSON.stringify(ids), userId, userId],
  )
  const states = new Map<number, ConversationState>()
  for (const { id, from_id, to_id, read_through } of rows) {
    const state = states.get(id) ?? { spans: [], readThrough: read_through }
    if (from_id !== null) state.spans.push({ from_id, to_id })
    states.set(id, state)
  }
  return states
}

/** Ids of those messages that are read or not against what the cursor says. */
function readExceptions(db: Reader, userId: number, messages: readonly MarkedMessage[]): Set<number> {
  const keys = messages.map(({ received_in, id }) => [received_in, id])
  const rows = db.sql<{ message_id: number }>(
    `SELECT x.message_id FROM json_each(?) w JOIN read_exceptions x ON x.user_id = ? AND x.realm_id = :realm
        AND x.conversation_id = w.value ->> 0 AND x.message_id = w.value ->> 1`,
    [JSON.stringify(keys), userId],
  )
  return new Set(rows.map((row) => row.message_id))
}

/** Ids of the lists of readers that the user is on. */
function readerLists(db: Reader, userId: number, messages: readonly MarkedMessage[]): Set<number> {
  const ids = new Set(messages.flatMap(({ readers_id }) => readers_id ?? []))
  if (ids.size === 0) return new Set()
  const rows = db.sql<{ list_id: number }>(
    `SELECT list_id FROM readers WHERE realm_id = :realm AND user_id = ?
        AND list_id IN (SELECT value FROM json_each(?))`,
    [userId, JSON.stringify([...ids])],
  )
  return new Set(rows.map((row) => row.list_id))
}
