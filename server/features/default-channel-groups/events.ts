import { z } from 'zod'

export const defaultChannelGroupEvents = [
  z.strictObject({
    type: z.literal('default_stream_groups'),
    /** All there are now. */
    default_stream_groups: z.array(
      z.strictObject({
        id: z.int(),
        name: z.string(),
        description: z.string(),
        streams: z.array(z.int()),
      }),
    ),
  }),
] as const
