import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertOperator } from '../admin/access.ts'

const seconds = z.int()

export const getBackups = defineRoute({
  id: 'admin-get-backups',
  method: 'GET',
  path: '/backups',
  summary: 'The backups there are, and what is being done',
  caller: 'admin',
  params: {},
  result: z.object({
    backups: z.array(
      z.strictObject({
        name: z.string(),
        bytes: z.int(),
        created_at: seconds,
        kind: z.enum(['daily', 'weekly', 'manual', 'before-migration']),
        good: z.boolean().nullable(),
      }),
    ),
    last: z
      .strictObject({ at: seconds, ok: z.boolean(), name: z.string(), error: z.string().optional() })
      .nullable(),
    running: z
      .strictObject({
        what: z.enum(['backup', 'restore']),
        name: z.string(),
        done: z.int(),
        total: z.int(),
      })
      .nullable(),
    restored: z
      .strictObject({
        at: seconds,
        ok: z.boolean(),
        source: z.string(),
        created_at: seconds.nullable(),
        aside: z.string().nullable(),
        error: z.string().optional(),
      })
      .nullable(),
    automatic: z.strictObject({ daily: z.int(), weekly: z.int() }),
  }),
  run: async ({ server: { backups, config } }, session) => {
    assertOperator(session)
    const { running } = backups
    return {
      backups: await backups.list(),
      last: backups.last,
      running: running && {
        what: running.what,
        name: running.name,
        done: running.done,
        total: running.total,
      },
      restored: backups.restored,
      automatic: { daily: config.backupDaily, weekly: config.backupWeekly },
    }
  },
})
