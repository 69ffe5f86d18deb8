import { z } from 'zod'
import { ScheduledMessage } from './present.ts'

const type = z.literal('scheduled_messages')

export const scheduledMessageEvents = [
  z.strictObject({ type, op: z.literal('add'), scheduled_messages: z.array(ScheduledMessage) }),
  z.strictObject({ type, op: z.literal('update'), scheduled_message: ScheduledMessage }),
  z.strictObject({ type, op: z.literal('remove'), scheduled_message_id: z.int() }),
] as const
