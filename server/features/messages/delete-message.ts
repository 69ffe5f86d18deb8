import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { messageToDelete } from './access.ts'
import { deleteMessages } from './delete-actions.ts'

export const deleteMessage = defineRoute({
  id: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message for good',
  caller: 'user',
  params: { message_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { message_id }) =>
    ctx.transact((tx) => {
      messageToDelete(ctx, tx, me, message_id)
      deleteMessages(ctx, tx, [message_id])
      return {}
    }),
})
