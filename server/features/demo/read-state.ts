/** What people of the demo office have read so far. */
import type { Tx } from '../../db/transaction.ts'
import { RECEIVED } from '../messages/flags.ts'
import type { User } from '../users/access.ts'

interface Received {
  id: number
  sender_id: number
}

/**
 * Marks what a user received as read: in channels all but the newest few and an older one that was left for later;
 * directly, all up to the user's own last message.
 */
export function markRead(tx: Tx, user: User, behind: number): void {
  for (const [conversationId, { isChannel, messages }] of receivedBy(tx, user)) {
    const lastOwn = messages.findLastIndex((message) => message.sender_id === user.id)
    const read = isChannel ? Math.max(messages.length - behind, 0) : lastOwn + 1
    const read_through = messages[read - 1]?.id ?? 0
    tx.runSql(
      `INSERT INTO read_cursors (realm_id, user_id, conversation_id, read_through) VALUES (:realm, ?, ?, ?)
       ON CONFLICT (user_id, conversation_id) DO UPDATE SET read_through = MAX(read_through, excluded.read_through)`,
      [user.id, conversationId, read_through],
    )
    const ownAfter = messages.slice(read).filter((message) => message.sender_id === user.id)
    const forLater = isChannel
      ? messages
          .slice(0, Math.max(read - behind, 0))
          .filter((message) => message.sender_id !== user.id)
          .slice(-1)
      : []
    for (const { id } of [...ownAfter, ...forLater]) {
      tx.insert('read_exceptions', { user_id: user.id, conversation_id: conversationId, message_id: id })
    }
  }
}

/** By conversation, oldest first. */
function receivedBy(tx: Tx, user: User): Map<number, { isChannel: boolean; messages: Received[] }> {
  const rows = tx.sql<Received & { conversation_id: number; channel_id: number | null }>(
    `SELECT m.id, m.sender_id, m.conversation_id, c.channel_id
       FROM messages m JOIN conversations c ON c.id = m.conversation_id
      WHERE m.realm_id = :realm AND ${RECEIVED} ORDER BY m.id`,
    [user.id],
  )
  const received = new Map<number, { isChannel: boolean; messages: Received[] }>()
  for (const { id, sender_id, conversation_id, channel_id } of rows) {
    const known = received.get(conversation_id)
    if (known) known.messages.push({ id, sender_id })
    else received.set(conversation_id, { isChannel: channel_id !== null, messages: [{ id, sender_id }] })
  }
  return received
}
