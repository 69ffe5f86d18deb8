import { z } from 'zod'
import { settingNames, sources } from '../../config.ts'
import { defineRoute } from '../../http/define-route.ts'
import { assertOperator } from './access.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])

export const getConfig = defineRoute({
  id: 'admin-get-config',
  method: 'GET',
  path: '/config',
  summary: "The server's settings, where each comes from, and what waits for the next start",
  caller: 'admin',
  params: {},
  result: z.object({
    /** Where `config.json` is, or would be. */
    path: z.string(),
    /** What is wrong with the file; then nothing of it is taken. */
    problem: z.string().nullable(),
    unknown: z.array(z.string()),
    settings: z.array(
      z.strictObject({
        name: z.enum(settingNames),
        value: Value,
        source: z.enum(sources),
        /** Whether a change takes effect at once. */
        live: z.boolean(),
        /** What holds from the next start on, where that is another value. */
        waiting: Value.nullable(),
      }),
    ),
  }),
  run: ({ server: { liveConfig } }, session) => {
    assertOperator(session)
    const { path, problem, unknown } = liveConfig
    return { path, problem, unknown, settings: liveConfig.settings() }
  },
})
