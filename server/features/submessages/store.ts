import { z } from 'zod'
import type { Reader, Tx } from '../../db/transaction.ts'

/** What was added to a message by a widget and its users (specification, "Message object"). */
export const SubmessageObject = z.strictObject({
  id: z.int(),
  msg_type: z.string(),
  content: z.string(),
  message_id: z.int(),
  sender_id: z.int(),
})
export type SubmessageObject = z.output<typeof SubmessageObject>

/** Submessages of many messages, each message's in the order they were added. */
export function submessagesByMessage(db: Reader, ids: readonly number[]): Map<number, SubmessageObject[]> {
  const rows = db.sql<SubmessageObject>(
    `SELECT id, msg_type, content, message_id, sender_id FROM submessages
      WHERE message_id IN (SELECT value FROM json_each(?)) AND realm_id = :realm ORDER BY id`,
    [JSON.stringify(ids)],
  )
  const byMessage = new Map<number, SubmessageObject[]>()
  for (const row of rows) {
    const known = byMessage.get(row.message_id)
    if (known) known.push(row)
    else byMessage.set(row.message_id, [row])
  }
  return byMessage
}

/** The oldest submessage of a message: the widget itself, where it has one. */
export const firstSubmessage = (db: Reader, messageId: number): SubmessageObject | undefined =>
  db.first(
    db.q
      .selectFrom('submessages')
      .select(['id', 'msg_type', 'content', 'message_id', 'sender_id'])
      .where('message_id', '=', messageId)
      .orderBy('id')
      .limit(1),
  )

export function insertSubmessage(tx: Tx, fields: Omit<SubmessageObject, 'id'>): SubmessageObject {
  return { id: tx.insert('submessages', fields), ...fields }
}
