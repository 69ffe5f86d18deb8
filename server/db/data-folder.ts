// The folder that holds everything a server knows, and the lock file that keeps a second server out of it.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from './file-calls.ts'

/** Who holds a data folder. */
export interface LockHolder {
  pid: number
  hostname: string
  /** ISO 8601. */
  startedAt: string
  /** When the system started this process, where it tells: a pid alone may have been given out again. */
  processStart: string | null
  /** Different for each process. */
  instance: string
  /** Where the holder answers and the token that lets a command in, once it has announced them. */
  url: string | null
  token: string | null
}

export interface DataFolderOptions {
  log?: { warn(details: object, message: string): void }
  /** How long a lock is watched before it counts as given up, in milliseconds. */
  patience?: number
}

export class DataFolderError extends Error {}

export class DataFolderInUseError extends Error {
  readonly holder: LockHolder

  constructor(dir: string, holder: LockHolder) {
    super(`${dir} is in use by process ${holder.pid} on ${holder.hostname}, started ${holder.startedAt}`)
    this.holder = holder
  }
}

const lockName = 'parley.lock'
const touchEvery = 10_000
/**
 * A process on another machine cannot be looked up: it lives as long as it keeps touching its lock. That is seen by
 * watching. Its clock may be fast or slow against this one, and either may have been set, so that a time alone can
 * only say that a lock has been touched lately, never that it has not.
 */
const patience = 30_000
/** Of a process on this machine with this number, whether it is this one. */
const instance = randomUUID()

/** Makes the folder when there is none, and takes its lock. */
export async function openDataFolder(dir: string, options: DataFolderOptions = {}): Promise<DataFolder> {
  const folder = path.resolve(dir)
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
    const me = myself()
    const holder = await takeLock(path.join(folder, lockName), me, options.patience ?? patience)
    if (holder) throw new DataFolderInUseError(folder, holder)
    return new DataFolder(folder, me, options.log)
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw error
    throw new DataFolderError(explain(folder, error), { cause: error })
  }
}

/** The living holder of the folder, or null. Takes nothing. */
export function readLock(dir: string): LockHolder | null {
  const state = inspect(path.join(dir, lockName))
  return state.is === 'held' ? state.holder : null
}

export class DataFolder {
  readonly path: string
  readonly #log: DataFolderOptions['log']
  readonly #timer: NodeJS.Timeout
  #holder: LockHolder

  /** Use `openDataFolder`. */
  constructor(folder: string, holder: LockHolder, log: DataFolderOptions['log']) {
    this.path = folder
    this.#holder = holder
    this.#log = log
    this.#timer = setInterval(() => this.#touch(), touchEvery).unref()
  }

  get database(): string {
    return path.join(this.path, 'parley.db')
  }

  get uploads(): string {
    return path.join(this.path, 'uploads')
  }

  get emoji(): string {
    return path.join(this.path, 'emoji')
  }

  get backups(): string {
    return path.join(this.path, 'backups')
  }

  get config(): string {
    return path.join(this.path, 'config.json')
  }

  /** Tells commands on this machine where the server answers. */
  announce({ url, token }: { url: string; token: string }): void {
    if (!this.#isOurs()) throw new DataFolderError(`${this.path} is not held by this process any more`)
    this.#holder = { ...this.#holder, url, token }
    writeWhole(this.#lock, this.#holder)
  }

  release(): void {
    clearInterval(this.#timer)
    if (this.#isOurs()) fs.unlinkSync(this.#lock)
  }

  get #lock(): string {
    return path.join(this.path, lockName)
  }

  #isOurs(): boolean {
    const state = inspect(this.#lock)
    return state.is === 'held' && isSame(state.holder, this.#holder)
  }

  #touch(): void {
    try {
      if (!this.#isOurs()) throw new Error('Another process has taken the data folder')
      fs.utimesSync(this.#lock, new Date(), new Date())
    } catch (error) {
      this.#log?.warn({ err: error, folder: this.path }, 'The lock of the data folder could not be kept')
    }
  }
}

type LockState =
  | { is: 'free' | 'dead' }
  | { is: 'held'; holder: LockHolder }
  /** Nothing tells whether its holder lives, except that it will touch it. */
  | { is: 'doubtful'; touched: number; holder: LockHolder }
  /** Without a holder: about to be written, for lack of links, or cut off by a power loss. */
  | { is: 'unfinished'; touched: number }

function inspect(lock: string): LockState {
  try {
    const text = fs.readFileSync(lock, 'utf8')
    const touched = fs.statSync(lock).mtimeMs
    const holder = parseHolder(text)
    if (!holder) return { is: 'unfinished', touched }
    if (holder.hostname === os.hostname()) return isRunning(holder) ? { is: 'held', holder } : { is: 'dead' }
    const age = Date.now() - touched
    return age >= 0 && age < patience ? { is: 'held', holder } : { is: 'doubtful', touched, holder }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { is: 'free' }
    throw error
  }
}

/** Waits until the lock is touched, changed or removed, or nothing of that has happened for long enough. */
async function watch(lock: string, seen: { is: string; touched: number }, long: number): Promise<LockState> {
  const began = performance.now()
  for (;;) {
    const state = inspect(lock)
    if (state.is !== seen.is) return state
    if ('touched' in state && state.touched !== seen.touched) {
      return 'holder' in state ? { is: 'held', holder: state.holder } : state
    }
    if (performance.now() - began > long) return { is: 'dead' }
    await sleep(50)
  }
}

/**
 * Makes `lock` ours, or answers who holds it. A dead holder's lock may be replaced only by the holder of a
 * second lock, `<lock>.takeover`, who looks again before doing so: among several starters that all saw a dead
 * holder, a slow one cannot remove the lock that a quick one has just taken. Should somebody die within that
 * moment, the second lock is taken over by the same rule.
 */
async function takeLock(lock: string, me: LockHolder, long: number): Promise<LockHolder | null> {
  for (;;) {
    if (create(lock, me)) return null
    let state = inspect(lock)
    const before = state
    if (state.is === 'unfinished') state = await watch(lock, state, long / 3)
    else if (state.is === 'doubtful') state = await watch(lock, state, long)
    if (state.is === 'held') return state.holder
    if (state.is !== 'dead') continue

    const takeover = `${lock}.takeover`
    if (await takeLock(takeover, me, long)) {
      await sleep(10) // somebody else is at it and will be done in a moment
      continue
    }
    try {
      const now = inspect(lock)
      // One that was watched is dead as long as it is still the same.
      if (now.is === 'dead' || ('touched' in now && 'touched' in before && now.touched === before.touched)) {
        writeWhole(lock, me)
        return null
      }
    } finally {
      fs.unlinkSync(takeover)
    }
  }
}

/** Creates the lock with its content in one step, unless there is one. */
function create(lock: string, me: LockHolder): boolean {
  const draft = writeDraft(lock, me)
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    return createWithoutLink(lock, me)
  } finally {
    fs.unlinkSync(draft)
  }
}

/** For file systems without hard links, such as exFAT: others may see the lock empty for a moment. */
function createWithoutLink(lock: string, me: LockHolder): boolean {
  try {
    fs.writeFileSync(lock, JSON.stringify(me), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function writeWhole(lock: string, holder: LockHolder): void {
  fs.renameSync(writeDraft(lock, holder), lock)
}

function writeDraft(lock: string, holder: LockHolder): string {
  const draft = `${lock}.${randomUUID()}`
  fs.writeFileSync(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
  return draft
}

function myself(): LockHolder {
  return {
    pid: process.pid,
    hostname: os.hostname(),
    startedAt: new Date().toISOString(),
    processStart: processStart(process.pid),
    instance,
    url: null,
    token: null,
  }
}

function isSame(a: LockHolder, b: LockHolder): boolean {
  return a.pid === b.pid && a.hostname === b.hostname && a.startedAt === b.startedAt
}

function isRunning({ pid, processStart: started, instance: other }: LockHolder): boolean {
  // Another process may have had this one's number: a container's first process always has number 1.
  if (pid === process.pid) return other === instance
  const startedNow = processStart(pid)
  if (started !== null && startedNow !== null) return started === startedNow
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Linux tells in clock ticks after boot, as the 22nd field; the second may hold spaces, within parentheses. */
function processStart(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function parseHolder(text: string): LockHolder | null {
  try {
    const value: unknown = JSON.parse(text)
    const isHolder =
      typeof value === 'object' &&
      value !== null &&
      'pid' in value &&
      Number.isInteger(value.pid) &&
      'hostname' in value &&
      typeof value.hostname === 'string'
    return isHolder ? (value as LockHolder) : null
  } catch {
    return null
  }
}

function explain(folder: string, error: unknown): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return `${folder} cannot be used as data folder: this user may not write to it`
    case 'EROFS':
      return `${folder} cannot be used as data folder: it is on a read-only file system`
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} cannot be used as data folder: it is not a folder`
    default:
      return `${folder} cannot be used as data folder: ${error instanceof Error ? error.message : String(error)}`
  }
}
