/** What is kept in memory of a realm's rows, so that it need not be read and worked out again for each request. */
import type { Database } from './database.ts'
import type { Reader, Tx } from './transaction.ts'

/**
 * Something made from rows of a realm, kept until those rows change. It always says what the database says at this
 * moment, to a transaction in progress as to everybody else: there is one connection, and whoever writes such rows
 * calls {@link forget}, which holds for the write as well as for its being taken back.
 */
export class Kept<T> {
  readonly #byDatabase = new WeakMap<Database, Map<number, T>>()

  /** @param make reads it from the database */
  constructor(private readonly make: (db: Reader) => T) {}

  of(db: Reader): T {
    const byRealm = this.#ofDatabase(db.database)
    let value = byRealm.get(db.realmId)
    if (value === undefined) {
      value = this.make(db)
      byRealm.set(db.realmId, value)
    }
    return value
  }

  /** The rows that it is made from have just been changed. */
  forget(tx: Tx): void {
    const byRealm = this.#ofDatabase(tx.database)
    const drop = () => void byRealm.delete(tx.realmId)
    drop()
    tx.ifTakenBack(drop)
  }

  /** The rows have just been changed in a way that can be said of what is kept: cheaper than to make it anew. */
  amend(tx: Tx, change: (value: T) => void): void {
    const byRealm = this.#ofDatabase(tx.database)
    const value = byRealm.get(tx.realmId)
    if (value !== undefined) change(value)
    // Also where nothing was kept yet: what is made from here on has seen the write.
    tx.ifTakenBack(() => void byRealm.delete(tx.realmId))
  }

  #ofDatabase(database: Database): Map<number, T> {
    let byRealm = this.#byDatabase.get(database)
    if (!byRealm) {
      const fresh = new Map<number, T>()
      // Commits that never reached the disk are gone from what is read, too.
      database.onLoss(() => fresh.clear())
      this.#byDatabase.set(database, fresh)
      byRealm = fresh
    }
    return byRealm
  }
}
