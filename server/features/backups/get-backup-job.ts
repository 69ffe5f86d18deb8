import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOperator } from '../admin/access.ts'

export const getBackupJob = defineRoute({
  id: 'admin-get-backup-job',
  method: 'GET',
  path: '/backup_jobs/{job_id}',
  summary: 'How far a backup is, or how it ended',
  caller: 'admin',
  params: { job_id: path(z.string()) },
  result: z.object({
    state: z.enum(['running', 'done', 'failed']),
    done: z.int(),
    total: z.int(),
    error: z.string().optional(),
  }),
  run: ({ server }, session, { job_id }) => {
    assertOperator(session)
    const { state, done, total, error } = server.backups.job(job_id)
    return { state, done, total, error }
  },
})
