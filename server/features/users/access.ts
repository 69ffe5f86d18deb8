/** Users as they are fetched, together with whether the one who asks may. */
import { statement } from '../../db/statement.ts'
import type { Reader } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { isAdministrator, isOwner, Role } from './roles.ts'
import { emailKey, userById } from './store.ts'

export type User = Row<'users'>
/** The user who makes the request. */
export type Me = User

const byEmailKey = statement((q, key: string) =>
  q.selectFrom('users').selectAll().where('email_key', '=', key),
)

export const userByEmail = (db: Reader, email: string): User | undefined =>
  db.first(byEmailKey(emailKey(email)))

/** A user whom an administrator is about to change. @throws BadRequestError */
export function userToAdminister(db: Reader, me: Me, id: number): User {
  assertAdministrator(me)
  const user = userById(db, id)
  if (!user || user.is_system_bot) throw new BadRequestError('No such user')
  if (isOwner(user) && !isOwner(me)) throw new BadRequestError('Must be an organization owner')
  return user
}

export function assertAdministrator(me: Me): void {
  if (!isAdministrator(me)) throw new BadRequestError('Must be an organization administrator')
}

/** Creating users takes an administrator who was also granted it (specification, "POST /users"). */
export function assertMayCreateUsers(me: Me): void {
  assertAdministrator(me)
  if (!me.can_create_users) throw new BadRequestError('User not authorized to create users')
}

/** @throws BadRequestError when `me` may not give `user` this role */
export function assertMayChangeRole(db: Reader, me: Me, user: User, role: number): void {
  if (role === Role.owner && !isOwner(me)) throw new BadRequestError('Must be an organization owner')
  if (user.role === Role.guest && role <= Role.administrator) {
    throw new BadRequestError('A guest cannot be made an administrator')
  }
  if (isOwner(user) && role !== Role.owner && isOnlyOwner(db, user)) {
    throw new BadRequestError('The owner permission cannot be removed from the only organization owner.')
  }
}

/** Whether the organization would be without an owner if this user stopped being one. */
export function isOnlyOwner(db: Reader, user: User): boolean {
  if (!isOwner(user)) return false
  const other = db.first(
    db.q
      .selectFrom('users')
      .select('id')
      .where('role', '=', Role.owner)
      .where('is_active', '=', 1)
      .where('is_bot', '=', 0)
      .where('id', '!=', user.id)
      .limit(1),
  )
  return other === undefined
}
