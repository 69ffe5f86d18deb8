import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export type DraftRow = Row<'drafts'>

/** Oldest first, at most as many as a user may have. */
export const draftsOf = (db: Reader, userId: number): DraftRow[] =>
  db.all(
    db.q.selectFrom('drafts').selectAll().where('user_id', '=', userId).orderBy('timestamp').orderBy('id'),
  )

export const draftById = (db: Reader, id: number): DraftRow | undefined =>
  db.first(db.q.selectFrom('drafts').selectAll().where('id', '=', id))

export function countDrafts(db: Reader, userId: number): number {
  const query = db.q.selectFrom('drafts').select((q) => q.fn.countAll<number>().as('count'))
  return db.first(query.where('user_id', '=', userId))?.count ?? 0
}

export function updateDraft(tx: Tx, id: number, changes: Partial<DraftRow>): void {
  tx.run(tx.q.updateTable('drafts').set(changes).where('id', '=', id))
}

export function deleteDraft(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('drafts').where('id', '=', id))
}

export function deleteDraftsOf(tx: Tx, userId: number): void {
  tx.run(tx.q.deleteFrom('drafts').where('user_id', '=', userId))
}
