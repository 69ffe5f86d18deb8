// One database file: prepared statements, transactions, and commits that wait for the disk together.
import { type Bridge, loadSqlite, type SqlJsDatabase } from './bridge.ts'
import { isAsLeft, longLookBytes, noteAsLeft } from './clean-close.ts'
import { DiskFiles } from './disk-files.ts'
import { asError, type FileCalls, nodeFiles } from './file-calls.ts'
import type { FileSnapshot } from './file-snapshot.ts'

/**
 * What can be bound and read. A number beyond 31 bits travels as a double: declare its column INTEGER, which
 * turns it back into an integer.
 */
export type SqlValue = number | string | Uint8Array | null

export interface OpenOptions {
  wasmFile?: string
  files?: FileCalls
  cacheKib?: number
  /** A log of this size is copied into the database file; the default takes 10 to 20 ms. */
  checkpointBytes?: number
  /** A file of this many bytes that was closed cleanly is opened without a look at all of it. */
  trustFrom?: number
  log?: { warn(details: object, message: string): void }
}

/** The disk did not take a write, or may not have: the transaction did not happen. */
export class StorageUnavailableError extends Error {}
/** What was written, or may have been read, did not come to be. */
export class LostCommitError extends StorageUnavailableError {
  constructor(file: string) {
    super(`${file}: the disk failed before this was saved`)
  }
}
/** The file is not a database, or not a sound one. */
export class DamagedDatabaseError extends StorageUnavailableError {
  constructor(
    readonly file: string,
    damage: string,
  ) {
    super(`${file} is damaged: ${damage}`)
  }
}
/** A UNIQUE, CHECK, NOT NULL or foreign key constraint said no. */
export class ConstraintError extends Error {}

interface Statement {
  handle: ReturnType<SqlJsDatabase['prepare']>
  columns: string[]
  inserts: boolean
}

interface Waiter {
  sequence: number
  resolve(): void
  reject(reason: Error): void
}

const noParams: readonly SqlValue[] = []
const maxStatements = 1000

/** Opens the database file, and creates it when there is none. A file that is not sound is left as it was. */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const bridge = await loadSqlite(options.wasmFile)
  const disk = new DiskFiles(file, options.files ?? nodeFiles)
  const isTrusted = isAsLeft(disk, options.trustFrom ?? longLookBytes)
  const db = new Database(bridge, disk, options)
  try {
    db.setUp(isTrusted)
    await disk.syncRecoveredLog()
    db.noteAsLeft('in use')
    return db
  } catch (error) {
    db.abandon()
    throw error
  }
}

export class Database {
  readonly file: string
  readonly #bridge: Bridge
  readonly #options: OpenOptions
  #disk!: DiskFiles
  #sql!: SqlJsDatabase
  #statements = new Map<string, Statement>()
  readonly #durableListeners: ((sequence: number) => void)[] = []
  readonly #lossListeners: ((after: number) => void)[] = []
  readonly #troubleListeners: (() => void)[] = []
  #refusal: Error | null = null
  /** Commits that were taken back, because a sync failed: each range without its first number. */
  readonly #lost: { after: number; upTo: number }[] = []
  #waiters: Waiter[] = []
  #inTransaction = false
  /** Why the running transaction cannot commit any more, whatever its function makes of it. */
  #doomed: Error | null = null
  #sequence = 0
  #durableSequence = 0
  /** Commits that SQLite has synced by itself, for a checkpoint; those who wait for them may not know yet. */
  #syncedSequence = 0
  /** How many bytes of log the commits up to `#sequence` have made. */
  #committedBytes = 0
  #checkpointedBytes = 0
  /** The files that commits are being synced to. */
  #syncing: DiskFiles | null = null
  #closed = false

  /** Use `openDatabase`. */
  constructor(bridge: Bridge, disk: DiskFiles, options: OpenOptions) {
    this.#bridge = bridge
    this.#options = options
    this.file = disk.file
    this.#connect(disk)
    this.#watch(disk)
  }

  /** @param isTrusted whether there is reason to believe, without looking, that the file is sound */
  setUp(isTrusted = false): void {
    this.exec('PRAGMA locking_mode = EXCLUSIVE') // first: without it, WAL asks for shared memory
    if (!isTrusted) this.#refuseDamage()
    const mode = this.first<{ journal_mode: string }>('PRAGMA journal_mode = WAL')?.journal_mode
    if (mode !== 'wal') throw new StorageUnavailableError(`${this.file} cannot have a write-ahead log`)
    this.exec(`
      PRAGMA synchronous = NORMAL; -- a commit does not sync: durable() does, for many commits at once
      PRAGMA wal_autocheckpoint = 0; -- checkpoints run between requests
      PRAGMA cache_size = -${this.#options.cacheKib ?? 65536};
      PRAGMA foreign_keys = ON`)
  }

  /** All rows, as plain objects. */
  all<T>(sql: string, params: readonly SqlValue[] = noParams): T[] {
    const { handle, columns } = this.#prepare(sql)
    const rows: T[] = []
    try {
      if (params.length > 0) handle.bind(params as SqlValue[])
      while (handle.step()) rows.push(toRow(columns, handle.get()) as T)
    } catch (error) {
      throw this.#explain(error, sql)
    } finally {
      handle.reset()
    }
    this.#noteCommit()
    return rows
  }

  first<T>(sql: string, params: readonly SqlValue[] = noParams): T | undefined {
    const { handle, columns } = this.#prepare(sql)
    let row: T | undefined
    try {
      if (params.length > 0) handle.bind(params as SqlValue[])
      if (handle.step()) row = toRow(columns, handle.get()) as T
    } catch (error) {
      throw this.#explain(error, sql)
    } finally {
      handle.reset()
    }
    this.#noteCommit()
    return row
  }

  /** `changes` and `lastId` mean something after INSERT, UPDATE and DELETE only. */
  run(sql: string, params: readonly SqlValue[] = noParams): { changes: number; lastId: number } {
    const { handle, inserts } = this.#prepare(sql)
    try {
      if (params.length > 0) handle.bind(params as SqlValue[])
      handle.step()
    } catch (error) {
      throw this.#explain(error, sql)
    } finally {
      handle.reset()
    }
    this.#noteCommit()
    const changes = this.#sql.getRowsModified()
    return { changes, lastId: inserts ? this.#lastId() : 0 }
  }

  /** Several statements without parameters; the only way to change the schema. */
  exec(sql: string): void {
    // What the cached statements know about columns may be about to change.
    this.#forgetStatements()
    if (this.#doomed) throw this.#doomed
    try {
      this.#sql.run(sql)
    } catch (error) {
      throw this.#explain(error, sql)
    }
    this.#noteCommit()
  }

  /**
   * Runs `fn` as one transaction: all of it happens, or nothing. It must be synchronous, so that nothing can
   * come between what it reads and what it writes.
   */
  transact<T>(fn: () => T): T {
    if (this.#inTransaction) throw new TypeError('A transaction cannot be opened inside another')
    if (this.failure || this.#closed) throw this.#unavailable()
    this.run('BEGIN IMMEDIATE')
    this.#inTransaction = true
    try {
      const result = fn()
      if (isPromiseLike(result)) {
        result.then(undefined, () => {}) // the error to be seen is this one, not a later rejection
        throw new TypeError('A transaction must not be asynchronous: await before it, or after')
      }
      if (this.#doomed) throw this.#doomed
      this.run('COMMIT')
      this.#inTransaction = false
      this.#noteCommit()
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#inTransaction
  }

  /** The number of the last commit that wrote something. */
  get sequence(): number {
    return this.#sequence
  }

  get durableSequence(): number {
    return this.#durableSequence
  }

  /** Why nothing can be written until the file is opened anew, or null. Reads go on. */
  get failure(): Error | null {
    return this.#disk.failure
  }

  /** `failure`, or what the system refused last without harm: a full disk, mostly. */
  get trouble(): Error | null {
    return this.failure ?? this.#refusal
  }

  /** How often commits were taken back: who read before may have seen what never came to be. */
  get losses(): number {
    return this.#lost.length
  }

  /** Resolves when that commit, and all before it, would survive a power loss. */
  durable(sequence: number = this.#sequence): Promise<void> {
    if (this.#isLost(sequence)) return Promise.reject(new LostCommitError(this.file))
    if (sequence <= this.#durableSequence) return Promise.resolve()
    if (this.failure) return Promise.reject(this.#unavailable())
    if (sequence > this.#sequence) return Promise.reject(new RangeError(`There is no commit ${sequence} yet`))
    return new Promise((resolve, reject) => this.#waiters.push({ sequence, resolve, reject }))
  }

  /** `listener` hears of commits that reached the disk, in order and before those who wait for them. */
  onDurable(listener: (sequence: number) => void): void {
    this.#durableListeners.push(listener)
  }

  /** `listener` hears that the commits after a number, all that there are, were taken back. */
  onLoss(listener: (after: number) => void): void {
    this.#lossListeners.push(listener)
  }

  /** `listener` hears when there is `trouble` where there was none. */
  onTrouble(listener: () => void): void {
    this.#troubleListeners.push(listener)
  }

  /**
   * After a failure: opens the file anew and writes to it. Every commit that was durable is there, none that was
   * not, so that what was told to clients stays true.
   * @throws when it is no better than before; then reads go on as they did
   */
  async reopen(): Promise<void> {
    if (!this.failure || this.#closed) return
    this.#showDurable()
    const view = this.#disk
    if (!view.isView) throw this.failure
    await view.putBack()
    if (this.#closed || this.#disk !== view) return
    this.#replaceConnection(new DiskFiles(this.file, view.calls), () => {
      this.setUp()
      // Writes all of the log into the database once more: whatever a failed sync has left in doubt.
      this.#checkpoint('TRUNCATE')
    })
    this.#refusal = null
  }

  /** After a refusal: tries to read and to write. @throws when it is no better than before */
  probe(): void {
    if (this.failure) throw this.failure
    this.#disk.tryWriting()
    this.first('SELECT count(*) FROM sqlite_schema')
    this.#refusal = null
  }

  /** Looks whether the files are still where they belong, which commits find out only when there are any. */
  inspect(): void {
    if (this.failure || this.#closed) return
    try {
      this.#disk.assertInPlace()
    } catch (error) {
      this.#disk.fail(error)
    }
  }

  /** Copies the whole log into the database file and empties it. */
  checkpoint(): void {
    this.#checkpoint('TRUNCATE')
  }

  /**
   * The whole database as it is now, as one file that can be read while work goes on. Until its bytes were read, or
   * its `end` was called, there can be no second one.
   */
  snapshot(): FileSnapshot {
    if (this.#inTransaction) throw new TypeError('A snapshot cannot be taken inside a transaction')
    if (this.failure || this.#closed) throw this.#unavailable()
    // The log is not emptied, which takes longer: all of it is in the database file now, and so will not count.
    if (!this.#checkpoint('PASSIVE')) throw new StorageUnavailableError('The log is in use')
    return this.#disk.snapshot()
  }

  /** Bytes of the database file and its log. */
  size(): number {
    return this.#disk.size()
  }

  /** What is wrong with the file, in SQLite's words; empty when it is sound. */
  check(full: boolean): string[] {
    try {
      const references = this.all<{ table: string; rowid: number; parent: string }>(
        'PRAGMA foreign_key_check',
      ).map((row) => `row ${row.rowid} of ${row.table} refers to a row of ${row.parent} that is not there`)
      return [...this.#checkStructure(full ? 'integrity_check' : 'quick_check'), ...references]
    } catch (error) {
      if (error instanceof DamagedDatabaseError) return [error.message]
      throw error
    }
  }

  /** Syncs, empties the log and closes the file. */
  async close(): Promise<void> {
    if (this.#closed) return
    try {
      while (this.#durableSequence < this.#sequence) await this.durable()
      this.checkpoint()
    } catch (error) {
      // Who waited for these commits has been told. The log stays, for the next open to recover.
      this.#warn('The database could not be closed cleanly', error)
    }
    this.#end()
    if (!this.failure) this.noteAsLeft('closed')
  }

  /** Closes without changing one byte on disk: for a file that this program must not touch. */
  abandon(): void {
    this.#disk.freeze(new Error('The database was left as it is'))
    this.#end()
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#rejectWaiters()
    this.#statements.clear()
    this.#bridge.close(this.#sql, this.#disk)
  }

  #connect(disk: DiskFiles): void {
    let sql: SqlJsDatabase
    try {
      sql = this.#bridge.open(disk)
    } catch (error) {
      // sql.js cannot tell why: it has no connection yet to ask.
      const cause = disk.lastError ?? asError(error)
      throw new StorageUnavailableError(`${disk.file} cannot be opened: ${cause.message}`, { cause })
    }
    this.#use(disk, sql, new Map())
  }

  #use(disk: DiskFiles, sql: SqlJsDatabase, statements: Map<string, Statement>): void {
    this.#disk = disk
    this.#sql = sql
    this.#statements = statements
    this.#committedBytes = disk.logBytes
    this.#checkpointedBytes = disk.logBytes
  }

  #watch(disk: DiskFiles): void {
    disk.onLogSync(() => {
      this.#syncedSequence = this.#sequence
    })
    disk.onFailure((failure) => {
      this.#warn('The disk failed; nothing more is written', failure)
      this.#rejectWaiters()
      // Not at once: SQLite may be in the middle of a statement.
      setImmediate(() => this.#showDurable())
      this.#tellTrouble()
    })
  }

  /** Goes over to other files, or stays with those there are when `prepare` throws. */
  #replaceConnection(disk: DiskFiles, prepare: () => void): void {
    const [oldDisk, oldSql, oldStatements] = [this.#disk, this.#sql, this.#statements]
    this.#connect(disk)
    try {
      prepare()
      if (disk.failure && !disk.isView) throw disk.failure
    } catch (error) {
      disk.freeze(asError(error))
      this.#bridge.close(this.#sql, disk)
      this.#use(oldDisk, oldSql, oldStatements)
      throw error
    }
    this.#watch(disk)
    this.#bridge.close(oldSql, oldDisk)
  }

  /**
   * After a failure the connection may show commits that are not on disk, and their writers were told that they
   * could not be saved. From here on it shows those that are durable, and no other.
   */
  #showDurable(): void {
    const { failure } = this
    if (!failure || this.#closed || this.#disk.isView) return
    const disk = this.#disk
    const files = disk.lend()
    if (!files) return
    try {
      this.#replaceConnection(new DiskFiles(this.file, disk.calls, { files, failure }), () => {
        this.exec('PRAGMA locking_mode = EXCLUSIVE')
        this.first('SELECT count(*) FROM sqlite_schema')
      })
    } catch (error) {
      disk.takeBack()
      this.#warn('The database cannot be read since the disk failed', error)
      return
    }
    this.#forgetLost()
  }

  #forgetLost(): void {
    // Parts of these may be in the database file already: they cannot be taken back any more.
    this.#advance(this.#syncedSequence)
    const after = this.#durableSequence
    if (this.#sequence === after) return
    this.#lost.push({ after, upTo: this.#sequence })
    // What is there now has a number of its own, which no lost commit had.
    this.#durableSequence = ++this.#sequence
    for (const listener of this.#lossListeners) listener(after)
  }

  #isLost(sequence: number): boolean {
    return this.#lost.some(({ after, upTo }) => sequence > after && sequence <= upTo)
  }

  #tellTrouble(): void {
    for (const listener of this.#troubleListeners) listener()
  }

  #warn(message: string, error?: unknown): void {
    this.#options.log?.warn({ ...(error ? { err: error } : {}), file: this.file }, message)
  }

  #refuseDamage(): void {
    const [damage] = this.#checkStructure('quick_check')
    if (damage) throw new DamagedDatabaseError(this.file, damage)
  }

  /**
   * Looks at one table after the other. Of the full-text index it looks at the tables which that consists of: asked as
   * a whole, SQLite would index every message again, to compare, and take minutes.
   */
  #checkStructure(pragma: 'quick_check' | 'integrity_check'): string[] {
    const tables = this.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name",
    )
    return ['sqlite_schema', ...tables.map(({ name }) => name)]
      .flatMap((name) => this.all<Record<string, string>>(`PRAGMA ${pragma}("${name}")`))
      .map((row) => row[pragma] ?? '')
      .filter((line) => line !== 'ok')
      .slice(0, 20)
  }

  #prepare(sql: string): Statement {
    if (this.#doomed) throw this.#doomed
    const cached = this.#statements.get(sql)
    if (cached) return cached
    try {
      const handle = this.#sql.prepare(sql)
      const statement = {
        handle,
        columns: handle.getColumnNames(),
        inserts: /\b(insert|replace)\b/i.test(sql),
      }
      if (this.#statements.size >= maxStatements) this.#forgetOldest()
      this.#statements.set(sql, statement)
      return statement
    } catch (error) {
      throw this.#explain(error, sql)
    }
  }

  #forgetOldest(): void {
    for (const [sql, { handle }] of this.#statements) {
      handle.free()
      this.#statements.delete(sql)
      return
    }
  }

  #forgetStatements(): void {
    for (const { handle } of this.#statements.values()) handle.free()
    this.#statements.clear()
  }

  #lastId(): number {
    const { handle } = this.#prepare('SELECT last_insert_rowid()')
    handle.step()
    const [id] = handle.get()
    handle.reset()
    return id as number
  }

  #rollBack(): void {
    this.#doomed = null
    try {
      this.run('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full or broken.
    }
    this.#inTransaction = false
    // A large transaction may have spilled into the log before it was taken back.
    this.#committedBytes = this.#disk.logBytes
    this.#disk.noteRollback()
  }

  /** Counts a commit when the log has grown, and sees that it gets synced. */
  #noteCommit(): void {
    if (this.#inTransaction || this.#disk.logBytes === this.#committedBytes) return
    this.#committedBytes = this.#disk.logBytes
    this.#disk.noteCommit()
    this.#sequence++
    if (this.#syncing === this.#disk) return
    this.#syncing = this.#disk
    // Not at once: whatever else this turn of the event loop commits shares the sync.
    setImmediate(() => void this.#syncCommits())
  }

  async #syncCommits(): Promise<void> {
    const disk = this.#disk
    while (this.#durableSequence < this.#sequence && !disk.failure) {
      // Only what is committed before the sync begins is surely covered by it.
      let covered = this.#sequence
      try {
        const accept = await disk.syncLog()
        if (disk.failure || disk !== this.#disk) break
        disk.assertInPlace()
        if (!disk.isInPlace('-wal')) {
          this.#replaceLog()
          covered = this.#sequence
        }
        accept()
      } catch (error) {
        disk.fail(error)
        break
      }
      this.#advance(covered)
      const { checkpointBytes = 4 << 20 } = this.#options
      if (disk.logBytes - this.#checkpointedBytes > checkpointBytes) this.#checkpointSoon()
    }
    if (this.#syncing === disk) this.#syncing = null
  }

  /**
   * A SQLite tool that opens the file meanwhile takes itself for the only one, and removes the log when it
   * leaves: SQLite's locks cannot be had from Node. Nothing is lost, because our descriptor still holds the
   * log: it is copied into the database, and a new one begun, before anything more is called durable.
   */
  #replaceLog(): void {
    this.#warn('Another program has removed the log; a new one was begun')
    this.exec('PRAGMA journal_mode = DELETE')
    this.exec('PRAGMA journal_mode = WAL')
  }

  #advance(sequence: number): void {
    if (sequence <= this.#durableSequence) return
    this.#durableSequence = sequence
    for (const listener of this.#durableListeners) {
      try {
        listener(sequence)
      } catch (error) {
        this.#warn('A listener for durable commits failed', error)
      }
    }
    // Waiters are not sorted: one may wait for an older commit than those before it.
    const waiters = this.#waiters
    this.#waiters = waiters.filter((waiter) => waiter.sequence > sequence)
    for (const waiter of waiters) if (waiter.sequence <= sequence) waiter.resolve()
  }

  #checkpointSoon(): void {
    this.#checkpointedBytes = this.#disk.logBytes // also when it fails: the next try is some megabytes away
    setImmediate(() => {
      if (this.#closed || this.failure) return
      try {
        // PASSIVE keeps the log's size and lets the next commit write it from its start again.
        this.#checkpoint('PASSIVE')
      } catch (error) {
        this.#warn('The log could not be copied into the database', error)
      }
    })
  }

  /** @returns whether the database file now holds everything */
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    const result = this.first<{ busy: number; log: number; checkpointed: number }>(
      `PRAGMA wal_checkpoint(${mode})`,
    )
    if (!result || result.busy) throw new StorageUnavailableError('The log is in use')
    this.#checkpointedBytes = this.#disk.logBytes
    if (result.log !== result.checkpointed || this.failure) return false
    // SQLite has synced the log and then the database: commits still waiting for their sync are durable already.
    this.#disk.assertInPlace()
    this.#advance(this.#sequence)
    this.noteAsLeft('in use')
    return true
  }

  noteAsLeft(state: 'in use' | 'closed'): void {
    noteAsLeft(this.#disk, this.#options.trustFrom ?? longLookBytes, state)
  }

  #rejectWaiters(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter.reject(this.#unavailable())
  }

  #unavailable(): StorageUnavailableError {
    const reason = this.failure?.message ?? 'it is closed'
    return new StorageUnavailableError(`${this.file} cannot be written: ${reason}`, { cause: this.failure })
  }

  /** sql.js reports nothing but SQLite's words, and misuse of itself as a bare string. */
  #explain(error: unknown, sql: string): Error {
    const { message } = asError(error)
    if (message.includes('constraint failed')) return new ConstraintError(message)
    if (/image is malformed|not a database/.test(message)) {
      const damaged = new DamagedDatabaseError(this.file, message)
      this.#disk.fail(damaged)
      return damaged
    }
    if (/disk I\/O error|disk is full|readonly database|unable to open database/.test(message)) {
      const cause = this.#disk.lastError
      const unavailable = new StorageUnavailableError(
        `${this.file}: ${message}${cause ? ` (${cause.message})` : ''}`,
        { cause },
      )
      if (this.#inTransaction) this.#doomed = unavailable
      if (!this.trouble) {
        this.#refusal = cause ?? unavailable
        this.#tellTrouble()
      }
      return unavailable
    }
    const other = new Error(`${message}, in: ${sql}`)
    if (this.#inTransaction && message === 'out of memory') this.#doomed = other
    return other
  }
}

function toRow(columns: readonly string[], values: readonly SqlValue[]): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {}
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i] as SqlValue
  return row
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
