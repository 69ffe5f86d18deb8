import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertOwner } from '../users/access.ts'
import { addDomain as add } from './actions.ts'
import { Domain } from './fields.ts'

export const addDomain = defineRoute({
  id: 'add-realm-domain',
  method: 'POST',
  path: '/realm/domains',
  summary: "Add a domain whose addresses are the organization's own; for owners",
  caller: 'user',
  params: { domain: text(Domain), allow_subdomains: text(z.boolean().default(false)) },
  result: z.object({}),
  run: (ctx, me, realmDomain) => {
    assertOwner(me)
    ctx.transact((tx) => add(tx, realmDomain))
    return {}
  },
})
