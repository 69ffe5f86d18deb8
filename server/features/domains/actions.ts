/** What changes about the domains of an organization, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { changeRealm } from '../realms/actions.ts'
import { activeUserIds } from '../users/store.ts'
import { allDomains, domainByName, type RealmDomain, removeDomainRow, updateDomain } from './store.ts'

/** @throws BadRequestError when it is among them already */
export function addDomain(tx: Tx, realm_domain: RealmDomain): void {
  const { domain, allow_subdomains } = realm_domain
  if (domainByName(tx, domain)) {
    throw new BadRequestError(`The domain ${domain} is already a part of your organization.`)
  }
  tx.insert('realm_domains', { domain, allow_subdomains: bit(allow_subdomains) })
  tx.emit({ type: 'realm_domains', op: 'add', realm_domain }, { to: activeUserIds(tx) })
}

/** @throws BadRequestError when there is no such domain */
export function changeDomain(tx: Tx, realm_domain: RealmDomain): void {
  const { domain, allow_subdomains } = realm_domain
  if (knownDomain(tx, domain).allow_subdomains === allow_subdomains) return
  updateDomain(tx, domain, bit(allow_subdomains))
  tx.emit({ type: 'realm_domains', op: 'change', realm_domain }, { to: activeUserIds(tx) })
}

/**
 * Takes a domain away. With the last one goes the restriction to them: it would keep everybody out.
 * @throws BadRequestError when there is no such domain
 */
export function removeDomain(ctx: RealmContext, tx: Tx, domain: string): void {
  knownDomain(tx, domain)
  removeDomainRow(tx, domain)
  tx.emit({ type: 'realm_domains', op: 'remove', domain }, { to: activeUserIds(tx) })
  if (allDomains(tx).length === 0) changeRealm(ctx, tx, { emails_restricted_to_domains: false })
}

function knownDomain(tx: Tx, domain: string): RealmDomain {
  const known = domainByName(tx, domain)
  if (!known) throw new BadRequestError(`No entry found for domain ${domain}.`)
  return known
}
