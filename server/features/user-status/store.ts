import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export type StatusRow = Omit<Row<'user_statuses'>, 'realm_id'>

export const noStatus = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' } as const

export const statusOf = (db: Reader, userId: number): StatusRow =>
  db.first(db.q.selectFrom('user_statuses').selectAll().where('user_id', '=', userId)) ?? {
    ...noStatus,
    user_id: userId,
  }

/** Of everybody who has one. */
export const allStatuses = (db: Reader): StatusRow[] => db.all(db.q.selectFrom('user_statuses').selectAll())

/** Stores a status; an empty one is removed. */
export function storeStatus(tx: Tx, status: StatusRow): void {
  tx.run(tx.q.deleteFrom('user_statuses').where('user_id', '=', status.user_id))
  const { user_id, status_text, emoji_name, emoji_code, reaction_type } = status
  if (status_text === '' && emoji_name === '') return
  tx.insert('user_statuses', { user_id, status_text, emoji_name, emoji_code, reaction_type })
}
