import { z } from 'zod'

export const mutedUserEvents = [
  z.strictObject({
    type: z.literal('muted_users'),
    muted_users: z.array(z.strictObject({ id: z.int(), timestamp: z.int() })),
  }),
] as const
