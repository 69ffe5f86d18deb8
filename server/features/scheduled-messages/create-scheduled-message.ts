import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, text } from '../../http/params.ts'
import { isReadByHumans } from '../messages/send-message.ts'
import { assertInFuture, isChannelType, MessageType, targetFor, To } from './access.ts'
import { schedule } from './actions.ts'

export const createScheduledMessage = defineRoute({
  id: 'create-scheduled-message',
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Have a message sent later',
  caller: 'user',
  params: {
    type: text(MessageType),
    to: json(To),
    content: text(z.string()),
    topic: text(z.string().optional(), { description: 'Required for channel messages.' }),
    scheduled_delivery_timestamp: text(z.int()),
    read_by_sender: text(z.boolean().optional()),
  },
  result: z.object({ scheduled_message_id: z.int() }),
  run: (ctx, me, { type, to, topic, content, scheduled_delivery_timestamp: deliveryAt, read_by_sender }) =>
    ctx.transact((tx) => {
      assertInFuture(ctx, deliveryAt)
      const target = targetFor(ctx, tx, me, { isChannel: isChannelType(type), to, topic })
      // What people send themselves for later is to be found unread.
      const isToSelf = 'users' in target && target.users.length === 1
      const { client } = ctx.request
      const readBySender = read_by_sender ?? (isReadByHumans(client) && !isToSelf)
      return {
        scheduled_message_id: schedule(ctx, tx, me, { target, content, deliveryAt, readBySender, client }),
      }
    }),
})
