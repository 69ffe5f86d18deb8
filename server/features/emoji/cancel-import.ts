import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { realmToManage } from '../admin/access.ts'

export const cancelImport = defineRoute({
  id: 'admin-cancel-emoji-import',
  method: 'DELETE',
  path: '/realms/{name}/emoji-imports/{import_id}',
  summary: 'Forget a zip archive of emoji that was shown',
  caller: 'admin',
  params: { name: path(z.string()), import_id: path(z.string()) },
  result: z.object({}),
  run: async (ctx, session, { name, import_id }) => {
    await ctx.server.emojiImports.cancel(realmToManage(ctx, session, name), import_id)
    return {}
  },
})
