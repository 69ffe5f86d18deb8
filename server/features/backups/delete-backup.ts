import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOperator } from '../admin/access.ts'

export const deleteBackup = defineRoute({
  id: 'admin-delete-backup',
  method: 'DELETE',
  path: '/backups/{name}',
  summary: 'Delete a backup',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({}),
  run: async ({ server }, session, { name }) => {
    assertOperator(session)
    await server.backups.remove(name)
    return {}
  },
})
