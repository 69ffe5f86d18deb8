import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { attachmentToDelete } from './access.ts'
import { deleteAttachment as remove } from './actions.ts'

export const deleteAttachment = defineRoute({
  id: 'delete-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Delete a file that the user uploaded',
  caller: 'user',
  params: { attachment_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { attachment_id }) =>
    ctx.transact((tx) => {
      remove(tx, attachmentToDelete(tx, me, attachment_id))
      return {}
    }),
})
