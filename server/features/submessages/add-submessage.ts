import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertMayRead } from '../messages/access.ts'
import { addSubmessage as add } from './actions.ts'

export const addSubmessage = defineRoute({
  id: 'add-submessage',
  method: 'POST',
  path: '/submessage',
  summary: 'Vote in a poll, or otherwise say something to the widget of a message',
  caller: 'user',
  params: {
    message_id: text(z.int()),
    msg_type: text(z.literal('widget')),
    content: text(z.string().min(1).max(10_000), { description: 'JSON, as the widget understands it.' }),
  },
  result: z.object({}),
  run: (ctx, me, { message_id, content }) => {
    ctx.transact((tx) => {
      assertMayRead(ctx, tx, me, message_id)
      add(ctx, tx, me, message_id, content)
    })
    return {}
  },
})
