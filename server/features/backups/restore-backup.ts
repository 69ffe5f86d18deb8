import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOperator } from '../admin/access.ts'

export const restoreBackup = defineRoute({
  id: 'admin-restore-backup',
  method: 'POST',
  path: '/backups/{name}/restore',
  summary: 'Go back to a backup: it is verified and unpacked, then the server starts again with it',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({}),
  run: async ({ server }, session, { name }) => {
    assertOperator(session)
    await server.backups.restore(name)
    return {}
  },
})
