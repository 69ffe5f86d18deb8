import { z } from 'zod'

export const alertWordEvents = [
  z.strictObject({ type: z.literal('alert_words'), alert_words: z.array(z.string()) }),
] as const
