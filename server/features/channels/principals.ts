/** The users a subscription request is for. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { type Me, type User, userByVisibleEmail } from '../users/access.ts'
import { userById } from '../users/store.ts'

export const Principals = z.union([z.array(z.int()), z.array(z.string())])

/**
 * The named users, or the one who asks where none are named.
 * @throws BadRequestError for somebody who is not there or not active
 */
export function principalsOf(db: Reader, me: Me, given: readonly (number | string)[] | undefined): User[] {
  if (given === undefined || given.length === 0) return [me]
  const users = new Map<number, User>()
  for (const which of given) {
    const user = typeof which === 'number' ? userById(db, which) : userByVisibleEmail(db, me, which)
    if (!user || user.is_system_bot) {
      throw new BadRequestError(`No such user: ${which}`)
    }
    if (!user.is_active) throw new BadRequestError(`User is deactivated: ${which}`)
    users.set(user.id, user)
  }
  return [...users.values()]
}
