import { z } from 'zod'

export const submessageEvents = [
  z.strictObject({
    type: z.literal('submessage'),
    submessage_id: z.int(),
    message_id: z.int(),
    msg_type: z.string(),
    content: z.string(),
    sender_id: z.int(),
  }),
] as const
