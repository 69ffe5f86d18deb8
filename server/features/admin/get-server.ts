import { z } from 'zod'
import { storageTroubles } from '../../db/keeper.ts'
import { defineRoute } from '../../http/define-route.ts'

import { FEATURE_LEVEL, VERSION } from '../../version.ts'
import { assertOperator } from './access.ts'
import { lanUrls } from './present.ts'

const Storage = z.union([
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({
    ok: z.literal(false),
    code: z.enum(storageTroubles),
    cause: z.string(),
    since: z.number(),
  }),
])

export const getServer = defineRoute({
  id: 'admin-get-server',
  method: 'GET',
  path: '/server',
  summary: 'The server and where it answers',
  caller: 'admin',
  params: {},
  result: z.object({
    version: z.string(),
    feature_level: z.int(),
    url: z.string(),
    lan_urls: z.array(z.string()),
    data_dir: z.string(),
    pid: z.int(),
    started_at: z.number(),
    database_bytes: z.int(),
    node_version: z.string(),
    development: z.boolean(),
    storage: Storage,
  }),
  run: ({ server }, session) => {
    assertOperator(session)
    return {
      version: VERSION,
      feature_level: FEATURE_LEVEL,
      url: server.url(),
      lan_urls: lanUrls(server),
      data_dir: server.config.dataDir,
      pid: process.pid,
      started_at: server.startedAt / 1000,
      database_bytes: server.database.size(),
      node_version: process.version,
      development: server.config.dev,
      storage: server.storage.state,
    }
  },
})
