import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { assertOwner } from '../users/access.ts'
import { changeDomain } from './actions.ts'
import { Domain } from './fields.ts'

export const updateDomain = defineRoute({
  id: 'update-realm-domain',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  summary: 'Allow or forbid subdomains of a domain; for owners',
  caller: 'user',
  params: { domain: path(Domain), allow_subdomains: text(z.boolean().default(false)) },
  result: z.object({}),
  run: (ctx, me, realmDomain) => {
    assertOwner(me)
    ctx.transact((tx) => changeDomain(tx, realmDomain))
    return {}
  },
})
