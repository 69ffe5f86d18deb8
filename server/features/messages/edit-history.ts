/** What a message was before it was edited or moved (specification, "Edit history entry"). */
import { z } from 'zod'
import type { RealmSettings } from '../realms/settings.ts'
import { shownTopic } from './topics.ts'

/** As it is stored, the newest first, and as clients get it. */
export const EditHistoryEntry = z.strictObject({
  user_id: z.int().nullable(),
  /** UNIX seconds. */
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
})
export type EditHistoryEntry = z.output<typeof EditHistoryEntry>

type Visibility = RealmSettings['message_edit_history_visibility_policy']

/** The entries that the organization lets everybody see, newest first. */
export function visibleHistory(stored: string | null, visibility: Visibility): EditHistoryEntry[] {
  if (stored === null || visibility === 'none') return []
  const entries = JSON.parse(stored) as EditHistoryEntry[]
  if (visibility === 'all') return entries
  return entries
    .filter((entry) => entry.prev_topic !== undefined || entry.prev_stream !== undefined)
    .map(({ prev_content: _content, prev_rendered_content: _html, ...move }) => move)
}

export interface EditedRow {
  edit_history: string | null
  last_edit_timestamp: number | null
  last_moved_timestamp: number | null
}

/** The fields of a message object that tell of edits. */
export function presentEdits(row: EditedRow, visibility: Visibility, allowEmptyTopic: boolean) {
  const entries = visibleHistory(row.edit_history, visibility)
  return {
    ...(entries.length > 0
      ? { edit_history: entries.map((entry) => withShownTopics(entry, allowEmptyTopic)) }
      : {}),
    ...(row.last_edit_timestamp === null ? {} : { last_edit_timestamp: row.last_edit_timestamp }),
    ...(row.last_moved_timestamp === null ? {} : { last_moved_timestamp: row.last_moved_timestamp }),
  }
}

export function withShownTopics<
  Entry extends { prev_topic?: string | undefined; topic?: string | undefined },
>(entry: Entry, allowEmptyTopic: boolean): Entry {
  const { prev_topic, topic } = entry
  return {
    ...entry,
    ...(prev_topic === undefined ? {} : { prev_topic: shownTopic(prev_topic, allowEmptyTopic) }),
    ...(topic === undefined ? {} : { topic: shownTopic(topic, allowEmptyTopic) }),
  }
}
