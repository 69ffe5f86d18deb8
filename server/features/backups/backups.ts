/** The backups of a running server: the folder that holds them, the one job at a time, and the daily ones. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { Server } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { errorCode } from '../../db/disk-files.ts'
import { BadRequestError, NotFoundError } from '../../http/errors.ts'
import { BackupBusyError, UnusableBackupError } from './errors.ts'
import { writeFile } from './read-archive.ts'
import { type RestoreOutcome, stageRestore, timestamp, verifyBackup } from './restore-folder.ts'
import { type BackupKind, dueBackup, kindOf, outdatedBackups } from './schedule.ts'
import { sweepFiles } from './stored-files.ts'
import { placeFile, roomIn, type WorkOptions, writeArchive } from './write-archive.ts'

export interface BackupInfo {
  name: string
  bytes: number
  /** UNIX seconds. */
  created_at: number
  kind: BackupKind
  /** Whether every byte is as it was saved; null where nobody has looked since the server started. */
  good: boolean | null
}

/** One backup or restore, under way or over. */
export interface Job {
  id: string
  what: 'backup' | 'restore'
  name: string
  done: number
  total: number
  state: 'running' | 'done' | 'failed'
  error?: string
}

interface RunningJob extends Job {
  /** Never rejects. */
  ended: Promise<void>
  failure?: Error
}

interface Finished {
  /** UNIX seconds. */
  at: number
  ok: boolean
  name: string
  error?: string
}

const TICK_MS = 60_000
/** A server that was just started has other things to do. */
const FIRST_BACKUP_AFTER_MS = 5 * 60_000
const RETRY_AFTER_MS = 60 * 60_000
const DAY_MS = 86_400_000
/** Jobs that are over are remembered, for whoever still asks. */
const JOBS_REMEMBERED = 20

export class Backups {
  /** The newest backup that was made or failed, as far as is known. */
  last: Finished | null = null
  readonly #server: () => Server
  readonly #jobs = new Map<string, Job>()
  readonly #verified = new Map<string, boolean>()
  readonly #stop = new AbortController()
  #job: RunningJob | null = null
  #timer: NodeJS.Timeout | null = null
  #startedAt = performance.now()
  #failedAt: number | null = null
  #sweptAt: number | null = null
  #sweeping: Promise<void> = Promise.resolve()

  /** @param restored what became of a restore when the server started */
  constructor(
    server: () => Server,
    readonly restored: (RestoreOutcome & { at: number }) | null,
  ) {
    this.#server = server
  }

  /** Begins with what is done by itself: the daily backup, and removing files that nothing refers to. */
  async start(): Promise<void> {
    await this.#findLast()
    await this.#removeDrafts()
    this.#timer = setInterval(() => void this.tick(), TICK_MS).unref()
  }

  /** Stops what is under way; a backup that is not finished leaves nothing. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#stop.abort(new Error('The server stops'))
    await this.#job?.ended
    await this.#sweeping
  }

  /** The job under way. */
  get running(): Job | null {
    return this.#job
  }

  /** @throws NotFoundError */
  job(id: string): Job {
    const job = this.#jobs.get(id)
    if (!job) throw new NotFoundError('There is no such job')
    return job
  }

  /** Newest first. */
  async list(): Promise<BackupInfo[]> {
    const found: BackupInfo[] = []
    for (const name of await this.#names()) {
      const kind = kindOf(name)
      const stats = await stat(join(this.#folder, name)).catch(() => null)
      if (!kind || !stats?.isFile()) continue
      const good = this.#verified.get(keyOf(name, stats)) ?? null
      found.push({ name, bytes: stats.size, created_at: Math.floor(stats.mtimeMs / 1000), kind, good })
    }
    return found.toSorted((a, b) => b.created_at - a.created_at || b.name.localeCompare(a.name))
  }

  /** The file of a backup. @throws NotFoundError for whatever is not the name of one */
  async find(name: string): Promise<string> {
    const file = join(this.#folder, name)
    const stats = kindOf(name) === null ? null : await stat(file).catch(() => null)
    if (!stats?.isFile()) throw new NotFoundError(`There is no backup '${name}'`)
    return file
  }

  /**
   * Begins a backup of the state at this moment.
   * @param target where it goes instead of the folder of backups
   */
  create(target?: string): Job {
    if (target !== undefined && !isAbsolute(target)) throw new BadRequestError('The path must be absolute')
    if (target !== undefined && existsSync(target)) throw new BadRequestError(`${target} exists already`)
    const name = target ?? this.#freeName('manual')
    return this.#begin('backup', name, (options) => this.#make(target ?? join(this.#folder, name), options))
  }

  /**
   * Verifies and unpacks a backup beside the data, and leaves the rest to the next start, which this asks for.
   * @throws UnusableBackupError
   */
  async restore(name: string): Promise<void> {
    const file = await this.find(name)
    const server = this.#server()
    const job = this.#begin('restore', name, async (options) => {
      const adminToken = adminTokenOf(server.database)
      await stageRestore(file, server.folder.path, { ...options, now: this.#now(), adminToken })
    })
    await job.ended
    if (job.failure instanceof UnusableBackupError) await this.#noteVerified(name, false)
    if (job.failure) throw job.failure
    server.log.warn({ backup: name }, 'restoring; the server starts again')
    server.restart()
  }

  /** Takes a backup from another machine in. @throws UnusableBackupError @returns its name */
  async receive(body: AsyncIterable<Uint8Array>): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const room = await roomIn(this.#folder)
    const signal = this.#stop.signal
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      let received = 0
      for await (const chunk of body) {
        signal.throwIfAborted()
        received += chunk.length
        if (received > room) throw new UnusableBackupError('There is not enough room on the disk for it.')
        yield chunk
      }
    }
    const name = this.#freeName('uploaded')
    const draft = join(this.#folder, `.${name}.${randomBytes(4).toString('hex')}.partial`)
    try {
      await writeFile(draft, chunks()).catch((error: unknown) => {
        throw errorCode(error) === 'ECONNRESET' ? new BadRequestError('The upload was cut off') : error
      })
      await verifyBackup(draft, { signal })
      await placeFile(draft, join(this.#folder, name))
    } finally {
      await rm(draft, { force: true })
    }
    await this.#noteVerified(name, true)
    return name
  }

  async remove(name: string): Promise<void> {
    const file = await this.find(name)
    if (this.#job?.name === name) throw new BackupBusyError('This backup is in use')
    await rm(file)
  }

  /** Does what is due. Called every minute; never throws. */
  async tick(): Promise<void> {
    const { log } = this.#server()
    try {
      await this.#sweepDaily()
      if (this.#job || performance.now() - this.#startedAt < FIRST_BACKUP_AFTER_MS) return
      if (this.#failedAt !== null && performance.now() - this.#failedAt < RETRY_AFTER_MS) return
      await this.backUpWhenDue()
    } catch (error) {
      log.error({ err: error }, 'the automatic backup could not be started')
    }
  }

  /** Makes the automatic backup when there is none of today, and removes those that are too many. */
  async backUpWhenDue(): Promise<Job | null> {
    const { config, now } = this.#server()
    const retention = { daily: config.backupDaily, weekly: config.backupWeekly }
    const date = new Date(now())
    const name = dueBackup(await this.#names(), retention, date)
    if (name === null || this.#job) return null
    const job = this.#begin('backup', name, async (options) => {
      await this.#make(join(this.#folder, name), options)
      const outdated = outdatedBackups(await this.#names(), retention, date)
      for (const { from, to } of outdated.rename) {
        await rename(join(this.#folder, from), join(this.#folder, to))
      }
      for (const old of outdated.remove) await rm(join(this.#folder, old), { force: true })
    })
    await job.ended
    return job
  }

  /** Removes files below `uploads/` that nothing has referred to for a day. */
  async sweep(): Promise<string[]> {
    const { database, folder, log, now } = this.#server()
    // A backup of a moment at which they were still referred to needs them.
    const mayRemove = (): boolean => this.#job === null && !this.#stop.signal.aborted
    const removed = await sweepFiles(database, folder.uploads, now() - DAY_MS, mayRemove)
    if (removed.length > 0) log.info({ files: removed.length }, 'removed uploads that nothing refers to')
    return removed
  }

  async #sweepDaily(): Promise<void> {
    if (this.#job || (this.#sweptAt !== null && performance.now() - this.#sweptAt < DAY_MS)) return
    this.#sweptAt = performance.now()
    const sweeping = this.sweep()
    this.#sweeping = sweeping.then(
      () => {},
      () => {},
    )
    await sweeping
  }

  get #folder(): string {
    return this.#server().folder.backups
  }

  #freeName(prefix: string): string {
    const name = `${prefix}-${timestamp(this.#now())}`
    for (let count = 1; ; count += 1) {
      const candidate = `${name}${count === 1 ? '' : `-${count}`}.parley-backup`
      if (!existsSync(join(this.#folder, candidate))) return candidate
    }
  }

  #now(): number {
    return Math.floor(this.#server().now() / 1000)
  }

  /** Writes a backup, reads it again, and only then calls it one. */
  async #make(target: string, options: WorkOptions): Promise<void> {
    const { database, folder } = this.#server()
    if (dirname(target) === this.#folder) await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { onProgress = () => {} } = options
    await writeArchive(
      target,
      { database, folder, now: this.#now() },
      // Writing is the first half of the work.
      { ...options, onProgress: (done, total) => onProgress(done, 2 * total) },
    )
    try {
      const half = {
        ...options,
        onProgress: (done: number, total: number) => onProgress(total + done, 2 * total),
      }
      await verifyBackup(target, half)
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
    if (dirname(target) === this.#folder) await this.#noteVerified(basename(target), true)
  }

  #begin(what: Job['what'], name: string, work: (options: WorkOptions) => Promise<void>): RunningJob {
    if (this.#job) throw new BackupBusyError(`A ${this.#job.what} is under way`)
    this.#stop.signal.throwIfAborted()
    const job: RunningJob = {
      id: randomBytes(8).toString('hex'),
      what,
      name,
      done: 0,
      total: 0,
      state: 'running',
      ended: Promise.resolve(),
    }
    const onProgress = (done: number, total: number): void => {
      job.done = done
      job.total = total
    }
    const { log } = this.#server()
    job.ended = work({ signal: this.#stop.signal, onProgress }).then(
      () => {
        job.state = 'done'
        log.info({ backup: name, bytes: job.total }, `${what} done`)
        this.#end(job)
      },
      (error: unknown) => {
        job.failure = error instanceof Error ? error : new Error(String(error))
        job.state = 'failed'
        job.error = job.failure.message
        log.error({ err: error, backup: name }, `${what} failed`)
        this.#end(job)
      },
    )
    this.#job = job
    this.#jobs.set(job.id, job)
    const [oldest] = this.#jobs.keys()
    if (this.#jobs.size > JOBS_REMEMBERED && oldest !== undefined) this.#jobs.delete(oldest)
    return job
  }

  #end(job: Job): void {
    this.#job = null
    // That the server stops is no failure.
    if (job.what === 'restore' || this.#stop.signal.aborted) return
    this.#failedAt = job.state === 'failed' ? performance.now() : null
    const error = job.error === undefined ? {} : { error: job.error }
    this.last = { at: this.#now(), ok: job.state === 'done', name: job.name, ...error }
  }

  async #findLast(): Promise<void> {
    const isMadeHere = ({ kind, name }: BackupInfo): boolean =>
      kind !== 'before-migration' && !name.startsWith('uploaded-')
    const newest = (await this.list()).find(isMadeHere)
    if (newest) this.last = { at: newest.created_at, ok: true, name: newest.name }
  }

  /** What a process that died while it made or received a backup left behind. */
  async #removeDrafts(): Promise<void> {
    for (const name of await this.#names()) {
      if (/^\..*\.partial$/.test(name)) await rm(join(this.#folder, name), { force: true })
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    }
  }

  async #noteVerified(name: string, good: boolean): Promise<void> {
    this.#verified.set(keyOf(name, await stat(join(this.#folder, name))), good)
  }
}

const keyOf = (name: string, { size, mtimeMs }: { size: number; mtimeMs: number }): string =>
  `${name} ${size} ${mtimeMs}`

const adminTokenOf = (database: Database): string | undefined =>
  database.first<{ value: string }>("SELECT value FROM server_settings WHERE key = 'admin_token'")?.value
