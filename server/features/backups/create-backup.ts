import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { ForbiddenError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { assertOperator, isThisMachine } from '../admin/access.ts'

export const createBackup = defineRoute({
  id: 'admin-create-backup',
  method: 'POST',
  path: '/backups',
  summary: 'Begin a backup of the state at this moment',
  caller: 'admin',
  params: {
    path: text(z.string().min(1).optional(), {
      description: 'An absolute path on the server, for a backup outside the folder of backups.',
    }),
  },
  result: z.object({ name: z.string(), job_id: z.string() }),
  run: (ctx, session, { path }) => {
    assertOperator(session)
    if (path !== undefined && !isThisMachine(ctx.request.address)) {
      throw new ForbiddenError('Only the machine that runs the server chooses where a backup goes.')
    }
    const { name, id } = ctx.server.backups.create(path)
    return { name, job_id: id }
  },
})
