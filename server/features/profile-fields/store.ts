import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'

export type ProfileField = Row<'profile_fields'>

/** In the order in which they are shown. */
export const allFields = (db: Reader): ProfileField[] =>
  db.all(db.q.selectFrom('profile_fields').selectAll().orderBy('sort_order').orderBy('id'))

export const fieldById = (db: Reader, id: number): ProfileField | undefined =>
  db.first(db.q.selectFrom('profile_fields').selectAll().where('id', '=', id))

export function updateField(tx: Tx, id: number, changes: Partial<ProfileField>): void {
  tx.run(tx.q.updateTable('profile_fields').set(changes).where('id', '=', id))
}

export function deleteField(tx: Tx, id: number): void {
  tx.run(tx.q.deleteFrom('profile_values').where('field_id', '=', id))
  tx.run(tx.q.deleteFrom('profile_fields').where('id', '=', id))
}

export const valuesOfField = (db: Reader, fieldId: number): Row<'profile_values'>[] =>
  db.all(db.q.selectFrom('profile_values').selectAll().where('field_id', '=', fieldId))

export const valueOf = (db: Reader, userId: number, fieldId: number): Row<'profile_values'> | undefined =>
  db.first(
    db.q
      .selectFrom('profile_values')
      .selectAll()
      .where('user_id', '=', userId)
      .where('field_id', '=', fieldId),
  )

export function saveValue(
  tx: Tx,
  user_id: number,
  field_id: number,
  value: { value: string; rendered_value: string | null },
): void {
  deleteValue(tx, user_id, field_id)
  tx.insert('profile_values', { user_id, field_id, ...value })
}

export function deleteValue(tx: Tx, userId: number, fieldId: number): void {
  tx.run(tx.q.deleteFrom('profile_values').where('user_id', '=', userId).where('field_id', '=', fieldId))
}
