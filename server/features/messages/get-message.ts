import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { assertMayRead, assertSpectatorsWelcome } from './access.ts'
import { MessageObject, presentMessages } from './present.ts'
import { rawContent } from './store.ts'

export const getMessage = defineRoute({
  id: 'get-message',
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'One message',
  caller: 'user or nobody',
  params: {
    message_id: path(z.int()),
    apply_markdown: text(z.boolean().default(true)),
    allow_empty_topic_name: text(z.boolean().default(false)),
  },
  result: z.object({ message: MessageObject, raw_content: z.string() }),
  run: (ctx, me, { message_id, apply_markdown, allow_empty_topic_name }) => {
    if (!me) assertSpectatorsWelcome(ctx)
    assertMayRead(ctx, ctx.db, me, message_id)
    const [message] = presentMessages(ctx, ctx.db, me, [message_id], {
      realmUrl: ctx.request.realmUrl,
      applyMarkdown: apply_markdown,
      // Only users see addresses, from which clients compute avatars.
      extAvatar: me !== null,
      allowEmptyTopic: allow_empty_topic_name,
    })
    const raw_content = rawContent(ctx.db, message_id)
    if (!message || raw_content === undefined) throw new BadRequestError('Invalid message(s)')
    return { message, raw_content }
  },
})
