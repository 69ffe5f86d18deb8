import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { isAdministrator } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
import type { RealmExport } from './events.ts'

export type ExportRow = Row<'realm_exports'>

/** Oldest first. */
export const allExports = (db: Reader): ExportRow[] =>
  db.all(db.q.selectFrom('realm_exports').selectAll().orderBy('id'))

export const exportById = (db: Reader, id: number): ExportRow | undefined =>
  db.first(db.q.selectFrom('realm_exports').selectAll().where('id', '=', id))

export const isPending = (row: ExportRow): boolean =>
  row.finished_at === null && row.failed_at === null && row.deleted_at === null

export const isReady = (row: ExportRow): boolean => row.finished_at !== null && row.deleted_at === null

export function updateExport(tx: Tx, id: number, changes: Partial<ExportRow>): void {
  tx.run(tx.q.updateTable('realm_exports').set(changes).where('id', '=', id))
}

export const presentExports = (db: Reader, realmUrl: string): RealmExport[] =>
  allExports(db).map((row) => ({
    id: row.id,
    acting_user_id: row.acting_user_id,
    export_type: row.export_type === 1 ? 1 : 2,
    export_time: row.started_at,
    export_url: isReady(row) ? `${realmUrl}/exports/${row.id}/${row.token}` : null,
    pending: isPending(row),
    failed_timestamp: row.failed_at,
    deleted_timestamp: row.deleted_at,
  }))

/** People with an account, and whether each lets administrators export what is private. */
export const consents = (db: Reader): { user_id: number; consented: boolean }[] =>
  activePeople(db)
    .filter((user) => !user.is_bot)
    .map((user) => ({ user_id: user.id, consented: settingsOf(user).allow_private_data_export }))

/** Those who hear of exports. */
export const administratorIds = (db: Reader): number[] =>
  activePeople(db)
    .filter((user) => !user.is_bot && isAdministrator(user))
    .map(({ id }) => id)
