import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOperator } from '../admin/access.ts'

export const downloadBackup = defineRoute({
  id: 'admin-download-backup',
  method: 'GET',
  path: '/backups/{name}',
  summary: 'Download a backup',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({}),
  run: async (ctx, session, { name }) => {
    assertOperator(session)
    await ctx.request.sendFile(await ctx.server.backups.find(name), name)
    return {}
  },
})
