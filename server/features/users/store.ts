import type { Reader, Tx } from '../../db/transaction.ts'
import { Kept } from '../../db/kept.ts'
import { statement } from '../../db/statement.ts'
import type { Row } from '../../db/tables.ts'

/** An address as it is compared: however it is written, it is one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

const byId = statement((q, id: number) => q.selectFrom('users').selectAll().where('id', '=', id))

export const userById = (db: Reader, id: number): Row<'users'> | undefined => db.first(byId(id))

/** Everybody, bots too, but not the system's own bots. */
export const allUsers = (db: Reader): Row<'users'>[] =>
  db.all(db.q.selectFrom('users').selectAll().where('is_system_bot', '=', 0).orderBy('id'))

export const systemBots = (db: Reader): Row<'users'>[] =>
  db.all(db.q.selectFrom('users').selectAll().where('is_system_bot', '=', 1).orderBy('id'))

export const usersByIds = (db: Reader, ids: readonly number[]): Row<'users'>[] =>
  db.sql(
    'SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?)) AND +realm_id = :realm ORDER BY id',
    [JSON.stringify(ids)],
  )

/** Ids of active users and bots: everybody who may hold an event queue. */
export const activeUserIds = (db: Reader): number[] =>
  db
    .all(db.q.selectFrom('users').select('id').where('is_active', '=', 1).where('is_system_bot', '=', 0))
    .map(({ id }) => id)

/** What decides which permissions somebody holds. */
export type Person = Pick<Row<'users'>, 'id' | 'role' | 'date_joined' | 'is_bot'>

/** Active users and bots, by id. */
export const activePeople = (db: Reader): Person[] =>
  db.all(
    db.q
      .selectFrom('users')
      .select(['id', 'role', 'date_joined', 'is_bot'])
      .where('is_active', '=', 1)
      .where('is_system_bot', '=', 0)
      .orderBy('id'),
  )

const inactive = new Kept<ReadonlySet<number>>(
  (db) =>
    new Set(db.all(db.q.selectFrom('users').select('id').where('is_active', '=', 0)).map(({ id }) => id)),
)

/** Ids of the deactivated users. */
export const inactiveUserIds = (db: Reader): ReadonlySet<number> => inactive.of(db)

/** Custom profile data by user (specification, "User object"). */
export function profileDataByUser(
  db: Reader,
  userIds?: readonly number[],
): Map<number, Record<string, { value: string; rendered_value?: string }>> {
  let query = db.q.selectFrom('profile_values').select(['user_id', 'field_id', 'value', 'rendered_value'])
  if (userIds) query = query.where('user_id', 'in', userIds.length > 0 ? userIds : [-1])
  const byUser = new Map<number, Record<string, { value: string; rendered_value?: string }>>()
  for (const { user_id, field_id, value, rendered_value } of db.all(query)) {
    const data = byUser.get(user_id) ?? {}
    data[field_id] = rendered_value === null ? { value } : { value, rendered_value }
    byUser.set(user_id, data)
  }
  return byUser
}

export function updateUser(tx: Tx, id: number, changes: Partial<Row<'users'>>): void {
  tx.run(tx.q.updateTable('users').set(changes).where('id', '=', id))
  if ('is_active' in changes) inactive.forget(tx)
}
