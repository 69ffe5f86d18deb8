import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { EmojiObjects } from './present.ts'
import { allEmoji } from './store.ts'

export const getEmoji = defineRoute({
  id: 'get-custom-emoji',
  method: 'GET',
  path: '/realm/emoji',
  summary: "The organization's own emoji, the deactivated too",
  caller: 'user',
  params: {},
  result: z.object({ emoji: EmojiObjects }),
  run: ({ db }) => ({ emoji: allEmoji(db) }),
})
