import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file, path } from '../../http/params.ts'
import { realmToManage } from '../admin/access.ts'

/**
 * First step: a form with the archive as its file answers what is in it, and nothing has changed yet. Then
 * `POST /realms/{name}/emoji-imports/{import_id}` takes it in, or `DELETE` forgets it; without either it waits an hour.
 */
export const openImport = defineRoute({
  id: 'admin-open-emoji-import',
  method: 'POST',
  path: '/realms/{name}/emoji-imports',
  summary: 'Show which emoji a zip archive holds, before they are taken in',
  caller: 'admin',
  params: { name: path(z.string()), archive: file(mebibytes('maxFileUploadSizeMib')) },
  result: z.object({
    import_id: z.string(),
    emoji: z.array(
      z.strictObject({
        /** In the archive. */
        file: z.string(),
        /** The name it gets; null where it cannot be one. */
        name: z.string().nullable(),
        state: z.enum(['new', 'conflict', 'invalid']),
        /** Why it is invalid, or what else is to be known of it. */
        reason: z.string().nullable(),
      }),
    ),
  }),
  run: (ctx, session, { name, archive }) =>
    ctx.server.emojiImports.open(realmToManage(ctx, session, name), archive.path),
})
