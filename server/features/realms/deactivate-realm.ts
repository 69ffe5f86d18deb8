import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertOwner } from '../users/access.ts'
import { deactivateRealm as deactivate } from './actions.ts'

export const deactivateRealm = defineRoute({
  id: 'deactivate-realm',
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Close the organization; for owners. The operator of the server can open it again',
  caller: 'user',
  params: {},
  result: z.object({}),
  run: (ctx, me) => {
    assertOwner(me)
    ctx.transact((tx) => deactivate(ctx, tx))
    return {}
  },
})
