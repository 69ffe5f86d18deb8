import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

/** A domain of an organization's own, as clients see it. */
export interface RealmDomain {
  domain: string
  allow_subdomains: boolean
}

const present = (row: Pick<Row<'realm_domains'>, 'domain' | 'allow_subdomains'>): RealmDomain => ({
  domain: row.domain,
  allow_subdomains: row.allow_subdomains === 1,
})

/** In the order they were added. */
export const allDomains = (db: Reader): RealmDomain[] =>
  db
    .all(db.q.selectFrom('realm_domains').select(['domain', 'allow_subdomains']).orderBy('id'))
    .map((row) => present(row))

export function domainByName(db: Reader, domain: string): RealmDomain | undefined {
  const row = db.first(db.q.selectFrom('realm_domains').selectAll().where('domain', '=', domain))
  return row && present(row)
}

export function updateDomain(tx: Tx, domain: string, allow_subdomains: 0 | 1): void {
  tx.run(tx.q.updateTable('realm_domains').set({ allow_subdomains }).where('domain', '=', domain))
}

export function removeDomainRow(tx: Tx, domain: string): void {
  tx.run(tx.q.deleteFrom('realm_domains').where('domain', '=', domain))
}
