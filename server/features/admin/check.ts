import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { RealmContext, type Server } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { allRealms } from '../realms/store.ts'
import { assertOperator } from './access.ts'

export const check = defineRoute({
  id: 'admin-check',
  method: 'GET',
  path: '/check',
  summary: 'Whether the database is sound and every uploaded file is there',
  caller: 'admin',
  params: {},
  result: z.object({ healthy: z.boolean(), problems: z.array(z.string()) }),
  run: ({ server }, session) => {
    assertOperator(session)
    const problems = [...server.database.check(true), ...missingFiles(server)]
    return { healthy: problems.length === 0, problems }
  },
})

function missingFiles(server: Server): string[] {
  return allRealms(server.database).flatMap((realm) => {
    const { db } = new RealmContext(server, realm)
    const uploads = db
      .all(db.q.selectFrom('attachments').select('path_id'))
      .map(({ path_id }) => join(server.folder.uploads, path_id))
    const emoji = db
      .all(db.q.selectFrom('realm_emoji').select('file_name'))
      .map(({ file_name }) => join(server.folder.uploads, String(realm.id), 'emoji', file_name))
    return [...uploads, ...emoji].filter((file) => !existsSync(file)).map((file) => `${file} is missing`)
  })
}
