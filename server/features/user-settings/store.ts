import type { Reader, Tx } from '../../db/transaction.ts'

/** Settings that a new user starts with, as they are stored. */
export const newUserSettings = (db: Reader): string =>
  db.first(db.q.selectFrom('user_settings_defaults').select('settings'))?.settings ?? '{}'

export function saveNewUserSettings(tx: Tx, settings: string): void {
  const changed = tx.run(tx.q.updateTable('user_settings_defaults').set({ settings }))
  if (changed === 0) tx.insert('user_settings_defaults', { settings })
}
