import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { deleteExport as remove } from './actions.ts'

export const deleteExport = defineRoute({
  id: 'delete-realm-export',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Delete the file of an export; for administrators',
  caller: 'user',
  params: { export_id: path(z.int()) },
  result: z.object({}),
  run: async (ctx, me, { export_id }) => {
    assertAdministrator(me)
    ctx.transact((tx) => remove(tx, export_id, ctx.request.realmUrl))
    // A file whose row is kept must not be gone.
    await ctx.server.database.durable()
    await ctx.server.exports.remove({ id: export_id, realm_id: ctx.realm.id })
    return {}
  },
})
