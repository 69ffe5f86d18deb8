/** Keeps saved snippets current. Pure: clients run it too. */
import { withItem } from '../../events/keep.ts'
import type { EventOf } from '../../events/union.ts'
import type { SavedSnippet } from './store.ts'

export function applyToSnippets(part: SavedSnippet[], event: EventOf<'saved_snippets'>): SavedSnippet[] {
  if (event.op === 'remove') return part.filter(({ id }) => id !== event.saved_snippet_id)
  return withItem(part, event.saved_snippet, ({ id }) => id)
}
