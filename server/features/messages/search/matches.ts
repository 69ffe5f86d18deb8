/** How messages match a search. */
import type { Reader } from '../../../db/transaction.ts'
import { shownTopic } from '../topics.ts'
import { highlight } from './highlight.ts'
import type { Phrase } from './phrases.ts'

export interface Match {
  /** The content as HTML with the hits marked. */
  match_content: string
  /** The topic likewise. */
  match_subject: string
}

/** What is marked in each of these messages. */
export function matchesOf(
  db: Reader,
  ids: readonly number[],
  phrases: readonly Phrase[],
  allowEmptyTopic: boolean,
): Map<number, Match> {
  const rows = db.sql<{ id: number; topic: string; rendered_content: string; dm_key: string | null }>(
    `SELECT m.id, m.topic, m.rendered_content, c.dm_key
       FROM messages m JOIN conversations c ON c.id = m.conversation_id
      WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
    [JSON.stringify(ids)],
  )
  const topicOf = ({ dm_key, topic }: (typeof rows)[number]) =>
    dm_key === null ? escapeHtml(shownTopic(topic, allowEmptyTopic)) : ''
  const marked = highlight(db, [...rows.map((row) => row.rendered_content), ...rows.map(topicOf)], phrases)
  return new Map(
    rows.map(({ id }, i) => [
      id,
      { match_content: marked[i] ?? '', match_subject: marked[rows.length + i] ?? '' },
    ]),
  )
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
