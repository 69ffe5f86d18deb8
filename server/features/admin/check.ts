import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { fileProblems } from '../backups/stored-files.ts'
import { assertOperator } from './access.ts'

export const check = defineRoute({
  id: 'admin-check',
  method: 'GET',
  path: '/check',
  summary: 'Whether the database is sound and every uploaded file is there',
  caller: 'admin',
  params: {},
  result: z.object({ healthy: z.boolean(), problems: z.array(z.string()) }),
  run: async ({ server }, session) => {
    assertOperator(session)
    const files = await fileProblems(server.database, server.folder.path)
    const problems = [...server.database.check(true), ...files]
    return { healthy: problems.length === 0, problems }
  },
})
