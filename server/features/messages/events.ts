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
  z.strictObject({
    type: z.literal('update_message_flags'),
    op: z.literal('add'),
    operation: z.literal('add'),
    flag: z.string(),
    messages: z.array(z.int()),
    all: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('update_message_flags'),
    op: z.literal('remove'),
    operation: z.literal('remove'),
    flag: z.string(),
    messages: z.array(z.int()),
    all: z.boolean(),
    /** By message id, when it is `read` that is removed. */
    message_details: z
      .record(
        z.string(),
        z.strictObject({
          type: z.enum(['private', 'stream']),
          mentioned: z.boolean().optional(),
          user_ids: z.array(z.int()).optional(),
          stream_id: z.int().optional(),
          topic: z.string().optional(),
        }),
      )
      .optional(),
  }),
] as const
