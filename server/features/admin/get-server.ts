import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { FEATURE_LEVEL, VERSION } from '../../version.ts'
import { lanUrls } from './present.ts'

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
  }),
  run: ({ server }) => ({
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
  }),
})
