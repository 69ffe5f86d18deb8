/** What the operands of a narrow name. */
import { BadRequestError } from '../../../http/errors.ts'
import { ChannelAccess } from '../../channels/access.ts'
import { type Channel, channelById, channelByName } from '../../channels/store.ts'
import { type User, userByVisibleEmail } from '../../users/access.ts'
import { userById } from '../../users/store.ts'
import { isOpenToSpectators } from '../access.ts'
import type { Asking } from './condition.ts'
import type { Operand } from './terms.ts'

export class BadNarrowError extends BadRequestError {
  constructor(description: string) {
    super(`Invalid narrow operator: ${description}`)
  }
}

/** @throws BadNarrowError always */
export function invalid(operator: string, operand: Operand): never {
  throw new BadNarrowError(`${operator} cannot be ${JSON.stringify(operand)}`)
}

/** The id that a number or its digits name. */
const idOf = (operand: Operand): number | undefined => {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && /^\d{1,15}$/.test(operand.trim()) ? Number(operand) : undefined
}

/** @throws BadNarrowError */
export const messageIdOf = (operator: string, operand: Operand): number =>
  idOf(operand) ?? invalid(operator, operand)

/** @throws BadNarrowError */
export const textOf = (operator: string, operand: Operand): string =>
  typeof operand === 'string' ? operand.trim() : invalid(operator, operand)

/** A channel that the one who asks may know of. @throws BadNarrowError */
export function channelOf({ ctx, db, me }: Asking, operand: Operand): Channel {
  const byName = typeof operand === 'string' ? channelByName(db, operand) : undefined
  const id = idOf(operand)
  const channel = byName ?? (id === undefined ? undefined : channelById(db, id))
  const maySee =
    channel && (me ? new ChannelAccess(ctx, db, me).maySee(channel) : isOpenToSpectators(channel))
  if (!maySee) throw unknownChannel(operand)
  return channel
}

export const unknownChannel = (operand: Operand) =>
  new BadNarrowError(`unknown channel ${Array.isArray(operand) ? JSON.stringify(operand) : operand}`)

/** @throws BadNarrowError */
export function userOf({ db, me }: Asking, which: string | number): User {
  const id = idOf(which)
  const user = id === undefined ? userByVisibleEmail(db, me, String(which)) : userById(db, id)
  if (!user) throw new BadNarrowError(`unknown user ${which}`)
  return user
}

/** Users by one id, a list of ids, or their addresses with commas between. @throws BadNarrowError */
export function usersOf(asking: Asking, operand: Operand): User[] {
  if (typeof operand === 'number') return [userOf(asking, operand)]
  const named = typeof operand === 'string' ? operand.split(',') : operand
  return named.map((which) => userOf(asking, which))
}
