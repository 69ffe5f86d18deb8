import { z } from 'zod'
import { shownTopic } from '../messages/topics.ts'
import type { ScheduledRow } from './store.ts'

export const ScheduledMessage = z.strictObject({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  to: z.union([z.int(), z.array(z.int())]),
  topic: z.string().optional(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
})
export type ScheduledMessage = z.output<typeof ScheduledMessage>

/** @param allowEmptyTopic whether the client can show an empty topic */
export function presentScheduled(row: ScheduledRow, allowEmptyTopic: boolean): ScheduledMessage {
  const { channel_id } = row
  return {
    scheduled_message_id: row.id,
    ...(channel_id === null
      ? { type: 'private', to: JSON.parse(row.user_ids ?? '[]') as number[] }
      : { type: 'stream', to: channel_id, topic: shownTopic(row.topic, allowEmptyTopic) }),
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: row.delivery_at,
    failed: row.failed === 1,
  }
}
