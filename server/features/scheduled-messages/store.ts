import type { Database } from '../../db/database.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export type ScheduledRow = Row<'scheduled_messages'>

/** The next to be sent first; those that failed are among them. */
export const scheduledBy = (db: Reader, userId: number): ScheduledRow[] =>
  db.all(
    db.q
      .selectFrom('scheduled_messages')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('delivery_at')
      .orderBy('id'),
  )

export const scheduledById = (db: Reader, id: number): ScheduledRow | undefined =>
  db.first(db.q.selectFrom('scheduled_messages').selectAll().where('id', '=', id))

export function updateScheduled(tx: Tx, id: number, changes: Partial<ScheduledRow>): void {
  tx.run(tx.q.updateTable('scheduled_messages').set(changes).where('id', '=', id))
}

export function deleteScheduled(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('scheduled_messages').where('id', '=', id))
}

/** The messages of all realms whose time has come, the longest overdue first. @param now UNIX seconds */
export const dueMessages = (database: Database, now: number): { id: number; realm_id: number }[] =>
  database.all(
    'SELECT id, realm_id FROM scheduled_messages WHERE failed = 0 AND delivery_at <= ? ORDER BY delivery_at, id LIMIT 100',
    [now],
  )

/** When the next message of any realm is to be sent, in UNIX seconds. */
export const nextDelivery = (database: Database): number | undefined =>
  database.first<{ delivery_at: number }>(
    'SELECT delivery_at FROM scheduled_messages WHERE failed = 0 ORDER BY delivery_at LIMIT 1',
  )?.delivery_at
