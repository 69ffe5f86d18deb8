import type { Insertable } from 'kysely'
import type { Reader, Tx } from '../../db/transaction.ts'
import { Kept } from '../../db/kept.ts'
import { statement } from '../../db/statement.ts'
import type { RealmTables, Row } from '../../db/tables.ts'

/** An address as it is compared: however it is written, it is one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

type User = Readonly<Row<'users'>>

/** What decides which permissions somebody holds. */
export type Person = Pick<Row<'users'>, 'id' | 'role' | 'date_joined' | 'is_bot'>

/** Everybody of a realm. Whoever looks at users looks at all of them soon, and every request asks who sends it. */
class Everybody {
  /** In the order of the ids. */
  readonly byId = new Map<number, User>()
  readonly byEmail = new Map<string, User>()
  #users: User[] | undefined
  #active: User[] | undefined
  #inactiveIds: Set<number> | undefined

  constructor(users: readonly User[]) {
    for (const user of users) this.put(user)
  }

  put(user: User): void {
    const before = this.byId.get(user.id)
    if (before) this.byEmail.delete(before.email_key)
    this.byId.set(user.id, user)
    this.byEmail.set(user.email_key, user)
    this.#users = undefined
    this.#active = undefined
    this.#inactiveIds = undefined
  }

  /** But for the system's own bots. */
  get users(): readonly User[] {
    this.#users ??= [...this.byId.values()].filter((user) => !user.is_system_bot)
    return this.#users
  }

  /** But for the system's own bots, which hold no queues. */
  get active(): readonly User[] {
    this.#active ??= this.users.filter((user) => user.is_active)
    return this.#active
  }

  get inactiveIds(): ReadonlySet<number> {
    this.#inactiveIds ??= new Set(
      [...this.byId.values()].filter((user) => !user.is_active).map(({ id }) => id),
    )
    return this.#inactiveIds
  }
}

const everybody = new Kept((db) => new Everybody(db.all(db.q.selectFrom('users').selectAll().orderBy('id'))))

export const userById = (db: Reader, id: number): User | undefined => everybody.of(db).byId.get(id)

/** By the real address, however it is written. */
export const userByEmailKey = (db: Reader, key: string): User | undefined => everybody.of(db).byEmail.get(key)

/** Everybody, bots too, but not the system's own bots. */
export const allUsers = (db: Reader): readonly User[] => everybody.of(db).users

export const systemBots = (db: Reader): User[] =>
  [...everybody.of(db).byId.values()].filter((user) => user.is_system_bot)

/** Those that there are, by id. */
export function usersByIds(db: Reader, ids: readonly number[]): User[] {
  const { byId } = everybody.of(db)
  return [...new Set(ids)].sort((a, b) => a - b).flatMap((id) => byId.get(id) ?? [])
}

/** Ids of active users and bots: everybody who may hold an event queue. */
export const activeUserIds = (db: Reader): number[] => everybody.of(db).active.map(({ id }) => id)

/** Active users and bots, by id; not the system's own. */
export const activePeople = (db: Reader): readonly User[] => everybody.of(db).active

/** Ids of the deactivated users. */
export const inactiveUserIds = (db: Reader): ReadonlySet<number> => everybody.of(db).inactiveIds

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

/** @returns the new user's id */
export function insertUser(tx: Tx, user: Insertable<RealmTables['users']>): number {
  const id = tx.insert('users', user)
  remember(tx, id)
  return id
}

export function updateUser(tx: Tx, id: number, changes: Partial<Row<'users'>>): void {
  tx.run(tx.q.updateTable('users').set(changes).where('id', '=', id))
  remember(tx, id)
}

function remember(tx: Tx, id: number): void {
  everybody.amend(tx, (known) => {
    const user = tx.first(byId(id))
    if (user) known.put(user)
  })
}

const byId = statement((q, id: number) => q.selectFrom('users').selectAll().where('id', '=', id))
