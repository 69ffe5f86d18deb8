import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOwner } from '../users/access.ts'
import { removeDomain as remove } from './actions.ts'
import { Domain } from './fields.ts'

export const removeDomain = defineRoute({
  id: 'remove-realm-domain',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  summary: 'Remove a domain; for owners',
  caller: 'user',
  params: { domain: path(Domain) },
  result: z.object({}),
  run: (ctx, me, { domain }) => {
    assertOwner(me)
    ctx.transact((tx) => remove(ctx, tx, domain))
    return {}
  },
})
