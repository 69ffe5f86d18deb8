import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertAdministrator } from '../users/access.ts'
import { consents } from './store.ts'

export const getExportConsents = defineRoute({
  id: 'get-realm-export-consents',
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'Who lets administrators export what is private; for administrators',
  caller: 'user',
  params: {},
  result: z.object({
    export_consents: z.array(z.strictObject({ user_id: z.int(), consented: z.boolean() })),
  }),
  run: (ctx, me) => {
    assertAdministrator(me)
    return { export_consents: consents(ctx.db) }
  },
})
