/** Which addresses an organization lets in. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { currentRealm } from '../realms/store.ts'
import { emailKey } from '../users/store.ts'
import { isDisposable } from './disposable.ts'
import { allDomains, type RealmDomain } from './store.ts'

/**
 * Checks the address of a person who is to get an account, or of an account that is to get the address.
 * @throws BadRequestError when the organization's settings keep it out
 */
export function assertAllowedEmail(ctx: RealmContext, db: Reader, email: string): void {
  const { settings } = currentRealm(ctx)
  const domain = emailKey(email).split('@').at(-1) ?? ''
  if (settings.emails_restricted_to_domains) {
    if (!allDomains(db).some((allowed) => isWithin(domain, allowed))) {
      throw new BadRequestError(`This organization does not allow addresses of ${domain}.`)
    }
  } else if (settings.disallow_disposable_email_addresses && isDisposable(domain)) {
    throw new BadRequestError('Please use your real email address.')
  }
}

const isWithin = (domain: string, allowed: RealmDomain): boolean =>
  domain === allowed.domain || (allowed.allow_subdomains && domain.endsWith(`.${allowed.domain}`))
