import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertAdministrator } from '../users/access.ts'
import { RealmExport } from './events.ts'
import { presentExports } from './store.ts'

export const getExports = defineRoute({
  id: 'get-realm-exports',
  method: 'GET',
  path: '/export/realm',
  summary: 'Exports of the organization; for administrators',
  caller: 'user',
  params: {},
  result: z.object({ exports: z.array(RealmExport) }),
  run: (ctx, me) => {
    assertAdministrator(me)
    return { exports: presentExports(ctx.db, ctx.request.realmUrl) }
  },
})
