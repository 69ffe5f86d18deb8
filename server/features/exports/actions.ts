/** What changes about exports, and who hears of it. */
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError, RateLimitError } from '../../http/errors.ts'
import { randomKey } from '../../services/passwords.ts'
import type { User } from '../users/access.ts'
import { administratorIds, allExports, exportById, isPending, presentExports, updateExport } from './store.ts'

/** An export reads and writes all there is: so many in a week. */
const EXPORTS_PER_WEEK = 5
const WEEK = 7 * 86_400

/**
 * Notes an export that is to be made.
 * @param limited whether there may only be so many in a week
 * @throws BadRequestError while another is being made; RateLimitError
 * @returns its id
 */
export function beginExport(tx: Tx, me: User, type: 1 | 2, realmUrl: string, limited: boolean): number {
  const known = allExports(tx)
  if (known.some(isPending)) throw new BadRequestError('An export is being made already.')
  const recent = known.filter((row) => row.started_at > tx.now - WEEK)
  const [oldest] = recent.slice(-EXPORTS_PER_WEEK)
  if (limited && oldest && recent.length >= EXPORTS_PER_WEEK) {
    throw new RateLimitError(oldest.started_at + WEEK - tx.now)
  }
  const id = tx.insert('realm_exports', {
    acting_user_id: me.id,
    export_type: type,
    token: randomKey(32),
    started_at: tx.now,
  })
  tellOfExports(tx, realmUrl)
  return id
}

export function endExport(tx: Tx, id: number, how: 'finished' | 'failed', realmUrl: string): void {
  updateExport(tx, id, how === 'finished' ? { finished_at: tx.now } : { failed_at: tx.now })
  tellOfExports(tx, realmUrl)
}

/** @throws BadRequestError for one that is being made, failed, or is deleted already */
export function deleteExport(tx: Tx, id: number, realmUrl: string): void {
  const row = exportById(tx, id)
  if (!row) throw new BadRequestError('Invalid data export ID')
  if (isPending(row)) throw new BadRequestError('Export still in progress')
  if (row.failed_at !== null) throw new BadRequestError('Export failed, nothing to delete')
  if (row.deleted_at !== null) throw new BadRequestError('Export already deleted')
  updateExport(tx, id, { deleted_at: tx.now })
  tellOfExports(tx, realmUrl)
}

function tellOfExports(tx: Tx, realmUrl: string): void {
  tx.emit({ type: 'realm_export', exports: presentExports(tx, realmUrl) }, { to: administratorIds(tx) })
}

/** Administrators hear who lets them export what is private. */
export function tellOfConsent(tx: Tx, user: User, consented: boolean): void {
  if (user.is_bot) return
  tx.emit({ type: 'realm_export_consent', user_id: user.id, consented }, { to: administratorIds(tx) })
}
