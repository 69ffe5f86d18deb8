import { z } from 'zod'

export const playgroundEvents = [
  z.strictObject({
    type: z.literal('realm_playgrounds'),
    realm_playgrounds: z.array(
      z.strictObject({
        id: z.int(),
        name: z.string(),
        pygments_language: z.string(),
        url_template: z.string(),
      }),
    ),
  }),
] as const
