import { z } from 'zod'
import { MessageInEvent } from './present.ts'

const UserName = z.strictObject({ user_id: z.int(), email: z.string() })

const typing = <Op extends string>(op: Op) =>
  z.strictObject({
    type: z.literal('typing'),
    op: z.literal(op),
    message_type: z.enum(['direct', 'stream']),
    sender: UserName,
    recipients: z.array(UserName).optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  })

const typingEdit = <Op extends string>(op: Op) =>
  z.strictObject({
    type: z.literal('typing_edit_message'),
    op: z.literal(op),
    sender_id: z.int(),
    message_id: z.int(),
    recipient: z.strictObject({
      type: z.enum(['direct', 'channel']),
      user_ids: z.array(z.int()).optional(),
      channel_id: z.int().optional(),
      topic: z.string().optional(),
    }),
  })

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
  z.strictObject({
    type: z.literal('update_message'),
    /** Who edited; null where the server only rendered anew. */
    user_id: z.int().nullable(),
    edit_timestamp: z.int(),
    message_id: z.int(),
    message_ids: z.array(z.int()),
    rendering_only: z.boolean(),
    /** The reader's flags of `message_id`. */
    flags: z.array(z.string()),
    /** The channel before the edit. */
    stream_id: z.int().optional(),
    stream_name: z.string().optional(),
    new_stream_id: z.int().optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })).optional(),
    propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('delete_message'),
    message_type: z.enum(['private', 'stream']),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
    message_ids: z.array(z.int()).optional(),
    /** Instead of the list, for clients that take one message an event. */
    message_id: z.int().optional(),
  }),
  typing('start'),
  typing('stop'),
  typingEdit('start'),
  typingEdit('stop'),
] as const
