import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertOperator } from '../admin/access.ts'

export const uploadBackup = defineRoute({
  id: 'admin-upload-backup',
  method: 'POST',
  path: '/backups/upload',
  summary: 'Take in a backup from another machine: its bytes are the body of the request',
  caller: 'admin',
  params: {},
  result: z.object({ name: z.string() }),
  run: async (ctx, session) => {
    assertOperator(session)
    return { name: await ctx.server.backups.receive(ctx.request.body()) }
  },
})
