import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { beginExport } from './actions.ts'

export const createExport = defineRoute({
  id: 'export-realm',
  method: 'POST',
  path: '/export/realm',
  summary:
    'Begin an export of what is public, or also of what those who consented can read; for administrators',
  caller: 'user',
  params: { export_type: text(z.literal([1, 2]).default(1)) },
  result: z.object({ id: z.int() }),
  run: (ctx, me, { export_type }) => {
    assertAdministrator(me)
    const { server, request } = ctx
    const id = ctx.transact((tx) => {
      const made = beginExport(tx, me, export_type, request.realmUrl, !server.config.dev)
      tx.afterwards(() => server.exports.make(ctx, made))
      return made
    })
    return { id }
  },
})
