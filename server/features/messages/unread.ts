/** What a user has not read yet. */
import type { SqlValue } from '../../db/database.ts'
import type { Reader } from '../../db/transaction.ts'
import { IN_SPAN } from './flags.ts'

/**
 * SQL that lists the ids of what a user received and has not read. It walks through what is after each cursor and the
 * exceptions before it, never through what is read.
 * @param conversationId where the messages are now; undefined: anywhere
 */
export function unreadIds(userId: number, conversationId?: number): { sql: string; parameters: SqlValue[] } {
  // What is there now was received there, or where it was moved from.
  const received =
    conversationId === undefined
      ? '1'
      : `s.conversation_id IN (SELECT ?2 UNION SELECT t.received_in FROM moved_to t WHERE t.conversation_id = ?2)`
  const after = (those: string) => `SELECT m.id FROM spans s
      LEFT JOIN read_cursors r ON r.user_id = s.user_id AND r.conversation_id = s.conversation_id
      JOIN messages m ON ${those} AND m.id > max(s.from_id, COALESCE(r.read_through, 0)) AND ${IN_SPAN}
    WHERE s.user_id = ?1 AND ${received}
      AND NOT EXISTS (SELECT 1 FROM read_exceptions x WHERE x.user_id = s.user_id
        AND x.conversation_id = s.conversation_id AND x.message_id = m.id)`
  const sql = `${after('m.conversation_id = s.conversation_id AND m.received_in IS NULL')}
    UNION ALL ${after('m.received_in = s.conversation_id')}
    UNION ALL SELECT m.id FROM read_exceptions x
      JOIN read_cursors r ON r.user_id = x.user_id AND r.conversation_id = x.conversation_id
        AND x.message_id <= r.read_through
      JOIN messages m ON m.id = x.message_id
      JOIN spans s ON s.user_id = x.user_id AND s.conversation_id = x.conversation_id AND ${IN_SPAN}
    WHERE x.user_id = ?1 AND ${received}`
  // Not by number: this becomes a part of statements that count their own parameters.
  const parameters: SqlValue[] = []
  const counted = sql.replaceAll(/\?([12])/g, (_, which) => {
    parameters.push(which === '1' ? userId : (conversationId ?? null))
    return '?'
  })
  return { sql: counted, parameters }
}

/** An id before which the user has nothing unread; undefined: there is nothing unread. */
export function unreadFrom(db: Reader, userId: number): number | undefined {
  const firstAfter = (those: string) => `SELECT (SELECT m.id FROM messages m
      WHERE ${those} AND m.id > max(s.from_id, COALESCE(r.read_through, 0)) ORDER BY m.id LIMIT 1) AS id
    FROM spans s LEFT JOIN read_cursors r ON r.user_id = s.user_id AND r.conversation_id = s.conversation_id
    WHERE s.realm_id = :realm AND s.user_id = ?`
  const [first] = db.sql<{ id: number | null }>(
    `SELECT min(id) AS id FROM (${firstAfter('m.conversation_id = s.conversation_id')}
      UNION ALL ${firstAfter('m.received_in = s.conversation_id')}
      UNION ALL SELECT message_id FROM read_exceptions WHERE user_id = ?)`,
    [userId, userId, userId],
  )
  return first?.id ?? undefined
}
