import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { assertMayRead } from '../messages/access.ts'
import { removeReaction as remove } from './actions.ts'
import { ReactionType } from './add-reaction.ts'

export const removeReaction = defineRoute({
  id: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: 'Take an own reaction back',
  caller: 'user',
  params: {
    message_id: path(z.int()),
    emoji_name: text(z.string().optional()),
    emoji_code: text(z.string().optional()),
    reaction_type: text(ReactionType.optional()),
  },
  result: z.object({}),
  run: (ctx, me, { message_id, ...emoji }) => {
    if (emoji.emoji_name === undefined && emoji.emoji_code === undefined) {
      throw new BadRequestError(
        'At least one of the following arguments must be present: emoji_name, emoji_code',
      )
    }
    return ctx.transact((tx) => {
      assertMayRead(ctx, tx, me, message_id)
      remove(ctx, tx, me, message_id, emoji)
      return {}
    })
  },
})
