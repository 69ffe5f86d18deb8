/** What an organization asks of names and addresses. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { assertAllowedEmail } from '../domains/access.ts'
import type { User } from './access.ts'
import { activePeople, systemBots } from './store.ts'

/** @param user whose name it is to be; null for a new account. @throws BadRequestError */
export function assertNameFree(ctx: RealmContext, db: Reader, full_name: string, user: User | null): void {
  if (!ctx.realm.settings.require_unique_names) return
  const wanted = nameKey(full_name)
  const others = [...activePeople(db), ...systemBots(db)]
  if (others.some((other) => other.id !== user?.id && nameKey(other.full_name) === wanted)) {
    throw new BadRequestError('Unique names required in this organization.')
  }
}

const nameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase()

/** @throws BadRequestError for an address that the organization keeps out */
export function assertEmailAllowed(ctx: RealmContext, db: Reader, email: string): void {
  assertAllowedEmail(ctx, db, email)
  // One mailbox would be many accounts.
  if (ctx.realm.settings.emails_restricted_to_domains && email.split('@')[0]?.includes('+')) {
    throw new BadRequestError('Email addresses containing + are not allowed in this organization.')
  }
}
