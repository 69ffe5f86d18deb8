import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path } from '../../http/params.ts'
import { realmToManage } from '../admin/access.ts'

export const confirmImport = defineRoute({
  id: 'admin-confirm-emoji-import',
  method: 'POST',
  path: '/realms/{name}/emoji-imports/{import_id}',
  summary: 'Take in the emoji of a zip archive that was shown',
  caller: 'admin',
  params: {
    name: path(z.string()),
    import_id: path(z.string()),
    choices: json(z.record(z.string(), z.enum(['skip', 'replace'])).default({}), {
      description: 'By name. Without one, new emoji are added and those that are there stay as they are.',
    }),
  },
  result: z.object({
    added: z.array(z.string()),
    replaced: z.array(z.string()),
    skipped: z.array(z.string()),
    failed: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  }),
  run: async (ctx, session, { name, import_id, choices }) => ({
    ...(await ctx.server.emojiImports.confirm(
      realmToManage(ctx, session, name),
      import_id,
      new Map(Object.entries(choices)),
    )),
  }),
})
