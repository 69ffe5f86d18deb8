/** Keeps a snapshot of the organization's domains current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import type { RealmDomain } from './store.ts'

export function applyToDomains(part: RealmDomain[], event: EventOf<'realm_domains'>): RealmDomain[] {
  switch (event.op) {
    case 'add':
      return [...part, event.realm_domain]
    case 'change':
      return part.map((one) => (one.domain === event.realm_domain.domain ? event.realm_domain : one))
    case 'remove':
      return part.filter(({ domain }) => domain !== event.domain)
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}
