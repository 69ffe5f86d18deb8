import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, restOfPath } from '../../http/params.ts'
import { uploadToRead } from './access.ts'
import { temporaryUrl } from './temporary-url.ts'

export const getTemporaryUrl = defineRoute({
  id: 'get-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  summary: 'An address where a file is for a minute, without credentials',
  caller: 'user or nobody',
  params: {
    realm_id_str: path(z.int()),
    filename: restOfPath(z.string(), {
      description: 'What follows the id of the organization in `path_id`.',
    }),
  },
  result: z.object({ url: z.string() }),
  run: (ctx, me, { realm_id_str, filename }) => {
    const attachment = uploadToRead(ctx, ctx.db, me, `${realm_id_str}/${filename}`)
    return { url: temporaryUrl(ctx.server, attachment) }
  },
})
