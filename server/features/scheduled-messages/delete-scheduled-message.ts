import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { ownScheduled } from './access.ts'
import { unschedule } from './actions.ts'

export const deleteScheduledMessage = defineRoute({
  id: 'delete-scheduled-message',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Give up a message that waits to be sent',
  caller: 'user',
  params: { scheduled_message_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { scheduled_message_id }) =>
    ctx.transact((tx) => {
      unschedule(tx, ownScheduled(tx, me, scheduled_message_id))
      return {}
    }),
})
