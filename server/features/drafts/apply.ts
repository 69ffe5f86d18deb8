/** Keeps drafts current. Pure: clients run it too. */
import { withItem } from '../../events/keep.ts'
import type { EventOf } from '../../events/union.ts'
import type { DraftObject } from './present.ts'

export function applyToDrafts(part: DraftObject[], event: EventOf<'drafts'>): DraftObject[] {
  const put = (list: DraftObject[], draft: DraftObject) => withItem(list, draft, ({ id }) => id)
  switch (event.op) {
    case 'add':
      return inOrder(event.drafts.reduce(put, part))
    case 'update':
      return inOrder(put(part, event.draft))
    case 'remove':
      return part.filter(({ id }) => id !== event.draft_id)
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

const inOrder = (drafts: DraftObject[]): DraftObject[] =>
  drafts.toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
