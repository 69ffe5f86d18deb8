import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { presentScheduled, ScheduledMessage } from './present.ts'
import { scheduledBy } from './store.ts'

export const getScheduledMessages = defineRoute({
  id: 'get-scheduled-messages',
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'Fetch the own messages that wait to be sent',
  caller: 'user',
  params: {},
  result: z.object({ scheduled_messages: z.array(ScheduledMessage) }),
  run: (ctx, me) => ({
    scheduled_messages: scheduledBy(ctx.db, me.id).map((row) => presentScheduled(row, false)),
  }),
})
