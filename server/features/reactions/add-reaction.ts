import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { assertMayRead } from '../messages/access.ts'
import { addReaction as add } from './actions.ts'

export const ReactionType = z.enum(['realm_emoji', 'svc_extra_emoji', 'unicode_emoji'])

export const addReaction = defineRoute({
  id: 'add-reaction',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  summary: 'React to a message with an emoji',
  caller: 'user',
  params: {
    message_id: path(z.int()),
    emoji_name: text(z.string()),
    emoji_code: text(z.string().optional()),
    reaction_type: text(ReactionType.optional()),
  },
  result: z.object({}),
  run: (ctx, me, { message_id, ...emoji }) =>
    ctx.transact((tx) => {
      assertMayRead(ctx, tx, me, message_id)
      add(ctx, tx, me, message_id, emoji)
      return {}
    }),
})
