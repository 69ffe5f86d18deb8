import { z } from 'zod'
import { shownTopic } from '../messages/topics.ts'
import type { DraftRow } from './store.ts'

export const DraftObject = z.strictObject({
  id: z.int(),
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})
export type DraftObject = z.output<typeof DraftObject>

/** @param allowEmptyTopic whether the client can show an empty topic */
export const presentDraft = (
  { id, type, recipients, topic, content, timestamp }: Omit<DraftRow, 'realm_id' | 'user_id'>,
  allowEmptyTopic: boolean,
): DraftObject => ({
  id,
  type,
  to: JSON.parse(recipients) as number[],
  topic: type === 'stream' ? shownTopic(topic, allowEmptyTopic) : topic,
  content,
  timestamp,
})
