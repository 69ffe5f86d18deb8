import { z } from 'zod'
import { EmojiObjects } from './present.ts'

export const emojiEvents = [
  z.strictObject({
    type: z.literal('realm_emoji'),
    op: z.literal('update'),
    /** All of them. */
    realm_emoji: EmojiObjects,
  }),
] as const
