/** What changes about drafts. Only their author's clients hear of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import type { Me } from '../users/access.ts'
import { type DraftInput, parseDraft } from './access.ts'
import { presentDraft } from './present.ts'
import { countDrafts, deleteDraft, deleteDraftsOf, type DraftRow, updateDraft } from './store.ts'

/** How many drafts a user may have. */
export const MAX_DRAFTS = 1000

/** @returns their ids, in the order given */
export function addDrafts(ctx: RealmContext, tx: Tx, me: Me, given: readonly DraftInput[]): number[] {
  if (given.length === 0) return []
  if (countDrafts(tx, me.id) + given.length > MAX_DRAFTS)
    throw new BadRequestError(`There can be at most ${MAX_DRAFTS} drafts.`)
  const drafts = given.map((one) => {
    const row = { ...parseDraft(ctx, tx, me, one), user_id: me.id }
    return presentDraft({ ...row, id: tx.insert('drafts', row) }, true)
  })
  tx.emit({ type: 'drafts', op: 'add', drafts }, { to: [me.id] })
  return drafts.map(({ id }) => id)
}

export function editDraft(ctx: RealmContext, tx: Tx, me: Me, draft: DraftRow, given: DraftInput): void {
  const changes = parseDraft(ctx, tx, me, given)
  updateDraft(tx, draft.id, changes)
  tx.emit(
    { type: 'drafts', op: 'update', draft: presentDraft({ ...draft, ...changes }, true) },
    { to: [me.id] },
  )
}

export function removeDraft(tx: Tx, me: Me, id: number): void {
  deleteDraft(tx, id)
  tx.emit({ type: 'drafts', op: 'remove', draft_id: id }, { to: [me.id] })
}

/** Forgets the drafts of a user who no longer keeps them here; the devices have them, so none is told. */
export function forgetDrafts(tx: Tx, userId: number): void {
  deleteDraftsOf(tx, userId)
}
