/** What an administrator changes about a user: the same by id and by address. */
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { changeProfile } from '../profile-fields/actions.ts'
import { assertMayChangeEmails, assertMayChangeRole, type Me, type User } from './access.ts'
import { changeEmail, changeFullName, changeRole } from './actions.ts'
import { Email, FullName } from './fields.ts'
import { roleNumbers } from './roles.ts'
import { assertEmailAllowed, assertNameFree } from './rules.ts'

export const userChanges = {
  full_name: text(FullName.optional()),
  role: text(z.literal(roleNumbers).optional()),
  profile_data: json(z.array(z.strictObject({ id: z.int(), value: z.string() })).optional()),
  new_email: text(Email.optional()),
} as const

type Changes = { [Name in keyof typeof userChanges]: z.output<(typeof userChanges)[Name]['schema']> }

/** @throws BadRequestError */
export function changeUser(ctx: RequestContext, tx: Tx, me: Me, user: User, changes: Changes): void {
  const { full_name, role, profile_data, new_email } = changes
  if (new_email !== undefined) {
    assertMayChangeEmails(me)
    if (user.is_bot) throw new BadRequestError('The address of a bot cannot be changed')
    assertEmailAllowed(ctx, tx, new_email)
  }
  if (role !== undefined) {
    assertMayChangeRole(tx, me, user, role)
    changeRole(ctx, tx, user, role)
  }
  if (full_name !== undefined) {
    assertNameFree(ctx, tx, full_name, user)
    changeFullName(ctx, tx, user, full_name)
  }
  if (new_email !== undefined) changeEmail(ctx, tx, user, new_email)
  if (profile_data !== undefined) changeProfile(ctx, tx, user, profile_data)
}
