/** Watches over the database while the server runs: says what is wrong, and resumes when it is not any more. */
import { DamagedDatabaseError, type Database } from './database.ts'
import { asError, errorCode } from './file-calls.ts'
import { MisplacedFileError } from './held-files.ts'

export const storageTroubles = [
  'disk_full',
  'read_only',
  'file_removed',
  'file_replaced',
  'folder_removed',
  'damaged',
  'io_error',
] as const

export type StorageState =
  | { ok: true }
  | {
      ok: false
      code: (typeof storageTroubles)[number]
      /** One sentence for people, without a full stop. */
      cause: string
      /** UNIX seconds. */
      since: number
    }

export interface KeeperOptions {
  log?: { info(details: object, message: string): void; warn(details: object, message: string): void }
  /** Milliseconds since the epoch. */
  now?: () => number
  /** How long to wait before each try, in milliseconds; the last holds for all that follow. */
  delays?: readonly number[]
  /** How often the files are looked for in their places. */
  inspectEvery?: number
}

export class StorageKeeper {
  readonly #database: Database
  readonly #options: KeeperOptions
  readonly #listeners: ((state: StorageState) => void)[] = []
  readonly #inspector: NodeJS.Timeout
  #state: StorageState = { ok: true }
  #tries = 0
  #timer: NodeJS.Timeout | null = null
  #trying: Promise<void> | null = null
  #closed = false

  constructor(database: Database, options: KeeperOptions = {}) {
    this.#database = database
    this.#options = options
    database.onTrouble(() => this.#begin())
    this.#inspector = setInterval(() => database.inspect(), options.inspectEvery ?? 5000).unref()
    if (database.trouble) this.#begin()
  }

  get state(): StorageState {
    return this.#state
  }

  onChange(listener: (state: StorageState) => void): void {
    this.#listeners.push(listener)
  }

  /** To be called before the database is closed. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#inspector)
    if (this.#timer) clearTimeout(this.#timer)
    await this.#trying
  }

  #begin(): void {
    const { trouble } = this.#database
    if (!trouble || this.#closed) return
    this.#tell(trouble)
    if (this.#timer || this.#trying) return
    this.#tries = 0
    this.#tryLater()
  }

  #tryLater(): void {
    if (this.#closed) return
    const delays = this.#options.delays ?? [1000, 2000, 5000]
    const delay = delays[Math.min(this.#tries, delays.length - 1)]
    this.#tries += 1
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#trying = this.#try().finally(() => {
        this.#trying = null
        // Also where something else went wrong while the first was being dealt with.
        if (this.#database.trouble) this.#tryLater()
      })
    }, delay).unref()
  }

  async #try(): Promise<void> {
    try {
      if (this.#database.failure) await this.#database.reopen()
      else this.#database.probe()
    } catch (error) {
      this.#tell(asError(error))
      return
    }
    if (this.#database.trouble || this.#state.ok) return
    this.#options.log?.info({ file: this.#database.file }, 'The database can be written again')
    this.#set({ ok: true })
  }

  #tell(error: Error): void {
    const { code, cause } = describe(error)
    if (!this.#state.ok && this.#state.code === code && this.#state.cause === cause) return
    this.#options.log?.warn({ err: error, file: this.#database.file }, cause)
    const since = this.#state.ok ? Math.floor((this.#options.now ?? Date.now)() / 1000) : this.#state.since
    this.#set({ ok: false, code, cause, since })
  }

  #set(state: StorageState): void {
    this.#state = state
    for (const listener of this.#listeners) listener(state)
  }
}

type Cause = { code: (typeof storageTroubles)[number]; cause: string }

function describe(error: Error): Cause {
  if (error instanceof DamagedDatabaseError) {
    return { code: 'damaged', cause: 'The database is damaged: stop the server and restore a backup' }
  }
  if (error instanceof MisplacedFileError) return { code: error.what, cause: misplaced(error) }
  switch (errorCode(error)) {
    case 'ENOSPC':
      return { code: 'disk_full', cause: 'The disk is full' }
    case 'EDQUOT':
      return { code: 'disk_full', cause: 'The disk quota of this user is used up' }
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return { code: 'read_only', cause: 'The data folder is read-only' }
    default:
      // What SQLite or this program says of it is less than what the system said.
      return error.cause instanceof Error
        ? describe(error.cause)
        : { code: 'io_error', cause: `The disk does not work: ${error.message}` }
  }
}

function misplaced({ what, keptAs }: MisplacedFileError): string {
  if (what === 'folder_removed') return 'The data folder was removed or renamed while the server runs'
  if (what === 'file_removed') return 'The database file was removed while the server runs'
  const kept = keptAs ? `; what the server had saved is in ${keptAs}` : ''
  return `The database file was replaced by another one while the server runs${kept}. Restart the server to use it`
}
