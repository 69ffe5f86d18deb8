import { z } from 'zod'
import { MessageInEvent } from './present.ts'

export const messageEvents = [
  z.strictObject({
    type: z.literal('message'),
    message: MessageInEvent,
    flags: z.array(z.string()),
    /** Only to the queue that sent it with a `local_id`. */
    local_message_id: z.string().optional(),
  }),
] as const
