import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { prepareContent } from './actions.ts'

export const renderMessage = defineRoute({
  id: 'render-message',
  method: 'POST',
  path: '/messages/render',
  summary: 'The HTML that a message with this content would have',
  caller: 'user',
  params: { content: text(z.string()) },
  result: z.object({ rendered: z.string() }),
  run: (_ctx, _me, { content }) => ({ rendered: prepareContent(content).rendered }),
})
