import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { prepareContent } from './content.ts'

export const renderMessage = defineRoute({
  id: 'render-message',
  method: 'POST',
  path: '/messages/render',
  summary: 'The HTML that a message with this content would have',
  caller: 'user',
  params: { content: text(z.string()) },
  result: z.object({ rendered: z.string() }),
  run: (ctx, me, { content }) => ({ rendered: prepareContent(ctx, ctx.db, me, content, null).rendered }),
})
