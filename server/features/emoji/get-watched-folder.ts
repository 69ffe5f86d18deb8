import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertOperator } from '../admin/access.ts'

export const getWatchedFolder = defineRoute({
  id: 'admin-get-emoji-folder',
  method: 'GET',
  path: '/emoji-folder',
  summary: 'What became of the pictures in the folder "emoji" of the data folder',
  caller: 'admin',
  params: {},
  result: z.object({
    path: z.string(),
    files: z.array(
      z.strictObject({
        file: z.string(),
        realm: z.string().nullable(),
        status: z.enum(['used', 'refused', 'taken_away', 'waiting']),
        reason: z.string().nullable(),
      }),
    ),
  }),
  run: ({ server }, session) => {
    assertOperator(session)
    return { path: server.emojiFolder.path, files: server.emojiFolder.files }
  },
})
