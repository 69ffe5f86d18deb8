import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { emojiKey } from '../../services/emoji-data.ts'
import { emojiToRemove } from './access.ts'
import { deactivateEmoji as deactivate } from './actions.ts'

export const deactivateEmoji = defineRoute({
  id: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Take an emoji away; messages that show it go on to',
  caller: 'user',
  params: { emoji_name: path(z.string()) },
  result: z.object({}),
  run: (ctx, me, { emoji_name }) =>
    ctx.transact((tx) => {
      deactivate(tx, emojiToRemove(tx, me, emojiKey(emoji_name.normalize('NFC'))).id)
      return {}
    }),
})
