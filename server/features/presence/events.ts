import { z } from 'zod'

export const presenceEvents = [
  z.strictObject({
    type: z.literal('presence'),
    user_id: z.int(),
    email: z.string(),
    server_timestamp: z.number(),
    /** By name of the client. */
    presence: z.record(
      z.string(),
      z.strictObject({
        client: z.string(),
        status: z.enum(['active', 'idle']),
        timestamp: z.int(),
        pushable: z.boolean(),
      }),
    ),
  }),
] as const
