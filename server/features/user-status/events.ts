import { z } from 'zod'

export const userStatusEvents = [
  z.strictObject({
    type: z.literal('user_status'),
    user_id: z.int(),
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    emoji_name: z.string().optional(),
    emoji_code: z.string().optional(),
    reaction_type: z.enum(['', 'unicode_emoji', 'realm_emoji', 'svc_extra_emoji']).optional(),
  }),
] as const
