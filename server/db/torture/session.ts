// A session that uses everything a database does to its files, and the look at what is left of it.
import { setImmediate as turn } from 'node:timers/promises'
import { type Database, openDatabase, StorageUnavailableError } from '../database.ts'
import { Random } from './random.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

export const databaseFile = '/disk/test.db'

/** So small that transactions spill and the log is begun anew many times in a short session. */
const options = { cacheKib: 64, checkpointBytes: 100_000 }

export const open = (disk: SimulatedDisk): Promise<Database> =>
  openDatabase(databaseFile, { ...options, files: disk })

class ChangedMind extends Error {}

/** Batches are numbered in the order of their commits, each with rows that say how many they are. */
export class Session {
  readonly disk: SimulatedDisk
  readonly #random: Random
  #db: Database | null = null
  #durable = 0
  #commits: { sequence: number; batch: number }[] = []

  constructor(disk: SimulatedDisk, seed: number) {
    this.disk = disk
    this.#random = new Random(seed)
  }

  /** Does that many things. What the disk refuses is tried again by opening the file anew. */
  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      try {
        this.#db ??= await this.#open()
        if (this.#db.failure) await this.#reopen(this.#db)
        await this.#step(this.#db)
      } catch (error) {
        if (!(error instanceof StorageUnavailableError) && !isSystemError(error)) throw error
      }
    }
  }

  async close(): Promise<void> {
    const db = this.#db
    this.#db = null
    await db?.close()
  }

  /** Once the disk works again, the same database must go on, with nothing lost. */
  async recover(): Promise<void> {
    this.#db ??= await this.#open()
    await this.#reopen(this.#db)
    assertWhole(this.#db, this.disk.promisedAt(Infinity))
  }

  /** Before and after, exactly those commits must show that became durable. */
  async #reopen(db: Database): Promise<void> {
    if (!db.failure) return
    await turn()
    this.#assertOnlyDurable(db)
    await db.reopen()
    this.#assertOnlyDurable(db)
  }

  #assertOnlyDurable(db: Database): void {
    // A disk that cannot be read either leaves things as they are; then no read is answered.
    if (db.durableSequence < db.sequence) return
    const newest = newestBatch(db)
    if (newest !== this.#durable) throw new TypeError(`${newest} shows, ${this.#durable} is durable`)
  }

  async #open(): Promise<Database> {
    const db = await open(this.disk)
    try {
      db.transact(() =>
        db.exec(`
          CREATE TABLE IF NOT EXISTS batches (batch INTEGER PRIMARY KEY, rows INTEGER NOT NULL);
          CREATE TABLE IF NOT EXISTS rows (
            id INTEGER PRIMARY KEY,
            batch INTEGER NOT NULL REFERENCES batches (batch),
            name TEXT NOT NULL UNIQUE,
            body BLOB);
          CREATE TABLE IF NOT EXISTS newest (batch INTEGER NOT NULL)`),
      )
      await db.durable()
      this.#durable = newestBatch(db)
      db.onDurable((sequence) => {
        while ((this.#commits[0]?.sequence ?? Infinity) <= sequence) {
          this.#durable = this.#commits.shift()?.batch ?? 0
        }
      })
      db.onLoss(() => (this.#commits = []))
      this.#commits = []
      return db
    } catch (error) {
      await db.close()
      throw error
    }
  }

  async #step(db: Database): Promise<void> {
    const random = this.#random
    const kind = random.below(100)
    if (kind < 55) await this.#commit(db, 1 + random.below(3), 300)
    else if (kind < 65) await this.#commit(db, 40, 4000)
    else if (kind < 75) this.#giveUp(db)
    else if (kind < 90) await Promise.all([0, 1, 2, 3].map((turns) => this.#commitLater(db, turns)))
    else if (kind < 96) db.checkpoint()
    else await this.close()
  }

  async #commit(db: Database, rows: number, size: number): Promise<void> {
    const batch = this.#add(db, rows, size)
    if (this.#random.chance(0.3)) return
    await db.durable()
    this.disk.promise(batch)
  }

  /** So that some commits are made while others are being synced. */
  async #commitLater(db: Database, turns: number): Promise<void> {
    for (let i = 0; i < turns; i++) await turn()
    await this.#commit(db, 1 + turns, 1000)
  }

  #add(db: Database, rows: number, size: number): number {
    const batch = newestBatch(db) + 1
    db.transact(() => this.#insert(db, batch, rows, size))
    this.#commits.push({ sequence: db.sequence, batch })
    return batch
  }

  #giveUp(db: Database): void {
    try {
      db.transact(() => {
        this.#insert(db, newestBatch(db) + 1, 40, 4000)
        throw new ChangedMind()
      })
    } catch (error) {
      if (!(error instanceof ChangedMind)) throw error
    }
  }

  #insert(db: Database, batch: number, rows: number, size: number): void {
    db.run('INSERT INTO batches (batch, rows) VALUES (?, ?)', [batch, rows])
    for (let i = 0; i < rows; i++) {
      const body = this.#random.bytes(this.#random.below(size))
      db.run('INSERT INTO rows (batch, name, body) VALUES (?, ?, ?)', [batch, `${batch}/${i}`, body])
    }
    db.run('DELETE FROM newest')
    db.run('INSERT INTO newest (batch) VALUES (?)', [batch])
  }
}

function newestBatch(db: Database): number {
  return db.first<{ batch: number | null }>('SELECT max(batch) AS batch FROM batches')?.batch ?? 0
}

/** Opens what is left. Answers the newest batch, after making sure that it and all before it are there, whole. */
export async function examine(disk: SimulatedDisk, promised: number): Promise<number> {
  const db = await open(disk)
  try {
    return assertWhole(db, promised)
  } finally {
    db.abandon()
  }
}

export function assertWhole(db: Database, promised: number): number {
  const problems = db.check(true)
  if (problems.length > 0) throw new Error(`The file is damaged: ${problems.join('; ')}`)
  const tables = db.first<{ n: number }>(
    "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('batches', 'rows', 'newest')",
  )
  if (tables?.n === 0 && promised === 0) return 0
  if (tables?.n !== 3) throw new Error(`There are ${tables?.n} tables`)
  const found = db.first<{ batches: number; last: number; newest: number }>(
    `SELECT count(*) AS batches, coalesce(max(batch), 0) AS last,
      coalesce((SELECT max(batch) FROM newest), 0) AS newest FROM batches`,
  )
  if (!found || found.batches !== found.last || found.newest !== found.last) {
    throw new Error(`Batches are missing: ${JSON.stringify(found)}`)
  }
  const halves = db.all(
    `SELECT batch FROM batches AS b
      WHERE rows <> (SELECT count(*) FROM rows AS r WHERE r.batch = b.batch)`,
  )
  if (halves.length > 0) throw new Error(`Half there: ${JSON.stringify(halves)}`)
  if (found.last < promised) throw new Error(`Batch ${promised} was acknowledged, ${found.last} is the last`)
  return found.last
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error
