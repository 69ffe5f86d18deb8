import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'

/** Whom a user muted and when, the first one first. */
export const mutedBy = (db: Reader, userId: number): { id: number; timestamp: number }[] =>
  db.sql(
    `SELECT muted_user_id AS id, timestamp FROM muted_users
      WHERE user_id = ? AND realm_id = :realm ORDER BY timestamp, muted_user_id`,
    [userId],
  )

const muters = statement((q, id: number) =>
  q.selectFrom('muted_users').select('user_id').where('muted_user_id', '=', id),
)

/** Ids of the users who muted this one. */
export const muterIds = (db: Reader, id: number): number[] => db.all(muters(id)).map((row) => row.user_id)

/** Answers whether the user was muted. */
export function deleteMute(tx: Tx, userId: number, mutedUserId: number): boolean {
  const query = tx.q
    .deleteFrom('muted_users')
    .where('user_id', '=', userId)
    .where('muted_user_id', '=', mutedUserId)
  return tx.run(query) > 0
}
