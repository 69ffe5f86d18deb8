/** What changes about saved snippets. Only their owner's clients hear of it. */
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError, NotThereError } from '../../http/errors.ts'
import type { Me } from '../users/access.ts'
import { deleteSnippet, type SavedSnippet, snippetOf, snippetsOf, updateSnippet } from './store.ts'

/** How many snippets a user may have. */
export const MAX_SNIPPETS = 1000

/** @returns its id */
export function addSnippet(tx: Tx, me: Me, fields: { title: string; content: string }): number {
  if (snippetsOf(tx, me.id).length >= MAX_SNIPPETS)
    throw new BadRequestError(`There can be at most ${MAX_SNIPPETS} saved snippets.`)
  const row = { ...fields, date_created: tx.now }
  const id = tx.insert('saved_snippets', { ...row, user_id: me.id })
  tx.emit({ type: 'saved_snippets', op: 'add', saved_snippet: { id, ...row } }, { to: [me.id] })
  return id
}

/** @throws NotThereError when there is no such snippet of this user */
export function ownSnippet(tx: Tx, me: Me, id: number): SavedSnippet {
  const snippet = snippetOf(tx, me.id, id)
  if (!snippet) throw new NotThereError('Saved snippet does not exist.')
  return snippet
}

export function editSnippet(
  tx: Tx,
  me: Me,
  snippet: SavedSnippet,
  changes: { title?: string; content?: string },
): void {
  const saved_snippet = { ...snippet, ...changes }
  if (saved_snippet.title === snippet.title && saved_snippet.content === snippet.content) return
  updateSnippet(tx, snippet.id, changes)
  tx.emit({ type: 'saved_snippets', op: 'update', saved_snippet }, { to: [me.id] })
}

export function removeSnippet(tx: Tx, me: Me, { id }: SavedSnippet): void {
  deleteSnippet(tx, id)
  tx.emit({ type: 'saved_snippets', op: 'remove', saved_snippet_id: id }, { to: [me.id] })
}
