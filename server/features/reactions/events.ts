import { z } from 'zod'

const shape = {
  message_id: z.int(),
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji']),
  user_id: z.int(),
  /** Deprecated. */
  user: z.strictObject({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    is_mirror_dummy: z.boolean(),
  }),
}

export const reactionEvents = [
  z.strictObject({ type: z.literal('reaction'), op: z.literal('add'), ...shape }),
  z.strictObject({ type: z.literal('reaction'), op: z.literal('remove'), ...shape }),
] as const
