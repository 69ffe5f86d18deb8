import { z } from 'zod'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export const SavedSnippet = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
})
export type SavedSnippet = z.output<typeof SavedSnippet>

const columns = ['id', 'title', 'content', 'date_created'] as const

export const snippetsOf = (db: Reader, userId: number): SavedSnippet[] =>
  db.all(db.q.selectFrom('saved_snippets').select(columns).where('user_id', '=', userId).orderBy('id'))

/** The snippet, if it is this user's. */
export const snippetOf = (db: Reader, userId: number, id: number): SavedSnippet | undefined =>
  db.first(
    db.q.selectFrom('saved_snippets').select(columns).where('id', '=', id).where('user_id', '=', userId),
  )

export function updateSnippet(tx: Tx, id: number, changes: Partial<Row<'saved_snippets'>>): void {
  tx.run(tx.q.updateTable('saved_snippets').set(changes).where('id', '=', id))
}

export function deleteSnippet(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('saved_snippets').where('id', '=', id))
}
