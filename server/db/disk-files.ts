// One database file and its companions (the log and the journal) on disk, with the calls that SQLite makes on
// them. Here is also decided when a disk can no longer be trusted.
import { constants } from 'node:fs'
import path from 'node:path'
import { asError, errorCode, type FileCalls, type FileStat, writeFully } from './file-calls.ts'
import { FileSnapshot } from './file-snapshot.ts'
import { type HeldFile, type HeldFiles, MisplacedFileError, putBack } from './held-files.ts'
import { LogExtent } from './log-extent.ts'

export { errorCode } from './file-calls.ts'

/** What SQLite asks for beside the database file; the empty string is the database itself. */
export type Suffix = '' | '-wal' | '-journal'

export class OpenFile {
  position = 0
  readonly disk: DiskFiles
  readonly suffix: Suffix
  readonly descriptor: number
  /** Tells whether its name still leads to it; null where a file system has no lasting numbers for its files. */
  readonly number: bigint | null

  constructor(disk: DiskFiles, suffix: Suffix, { descriptor, number }: HeldFile) {
    this.disk = disk
    this.suffix = suffix
    this.descriptor = descriptor
    this.number = number
  }

  stat(): FileStat {
    return this.disk.statOpen(this)
  }

  size(): number {
    return Number(this.stat().size)
  }
}

/** So much must fit on a disk that was full before it counts as having room. */
const probeBytes = 1 << 20

let openings = 0

export class DiskFiles {
  readonly file: string
  readonly calls: FileCalls
  /** Different for each opening of a file. */
  readonly id = (openings += 1)
  /** Bytes ever written to the log: it grows exactly when something is committed (or spilled before it). */
  logBytes = 0
  #lastError: Error | null = null
  #failure: Error | null = null
  #onFailure: (failure: Error) => void = () => {}
  #onLogSync: () => void = () => {}
  #log: OpenFile | null = null
  #main: OpenFile | null = null
  #createdLog = false
  /** Whether the names of all open files are on disk. */
  #namesSynced = false
  #snapshot: FileSnapshot | null = null
  #extent = new LogExtent()
  readonly #held: HeldFiles | null
  /** Lent files are closed by who holds them now. */
  #lent = false

  /** With held files nothing is opened and nothing can be changed: it is a view of what is on disk for certain. */
  constructor(file: string, calls: FileCalls, held: { files: HeldFiles; failure: Error } | null = null) {
    this.file = path.resolve(file)
    this.calls = calls
    this.#held = held?.files ?? null
    this.#failure = held?.failure ?? null
  }

  /** The newest refusal of the operating system, which says more than SQLite's `disk I/O error`. */
  get lastError(): Error | null {
    return this.#lastError
  }

  /** Once the database is open, that a companion of it is not there is an answer and no error. */
  noteError(error: unknown): void {
    if (!this.#main || errorCode(error) !== 'ENOENT') this.#lastError = asError(error)
  }

  /** Whether it only shows what a failed connection left. */
  get isView(): boolean {
    return this.#held !== null
  }

  /** Why nothing may be written any more, or null. */
  get failure(): Error | null {
    return this.#failure
  }

  onFailure(listener: (failure: Error) => void): void {
    this.#onFailure = listener
  }

  /** `listener` hears when SQLite has synced the log by itself, in the middle of one of its own calls. */
  onLogSync(listener: () => void): void {
    this.#onLogSync = listener
  }

  /** From here on nothing on disk is changed, not even by SQLite's own tidying up at close. */
  freeze(reason: Error): void {
    this.#failure ??= reason
    this.#snapshot?.fail(reason)
  }

  /** The database file as it is now; the log is no part of it. */
  snapshot(): FileSnapshot {
    const main = this.#main
    if (!main) throw new Error('The database file is not open')
    if (this.#snapshot) throw new Error('There is a snapshot already')
    const readOld = (into: Uint8Array, position: number) => {
      for (let done = 0; done < into.length; ) {
        const read = this.calls.read(main.descriptor, into.subarray(done), position + done)
        if (read === 0) throw new Error(`${this.file} is shorter than it was`)
        done += read
      }
    }
    this.#snapshot = new FileSnapshot(this.file, main.size(), readOld, () => {
      this.#snapshot = null
    })
    return this.#snapshot
  }

  /**
   * Syncs the log without blocking, which is what commits wait for. Answers what to call when the commits that it
   * covers are taken for durable.
   */
  async syncLog(): Promise<() => void> {
    if (!this.#log) return () => {}
    const synced = this.#extent.beginSync()
    try {
      await this.calls.fdatasync(this.#log.descriptor)
    } catch (error) {
      this.fail(error)
      throw error
    }
    return synced
  }

  /** To be told when a transaction has ended, so that it is known what of the log counts. */
  noteCommit(): void {
    this.#extent.commit()
  }

  noteRollback(): void {
    this.#extent.rollBack()
  }

  /**
   * What a dead process left in the log is read as committed, so it has to be as durable as that. Should a sync of
   * that process have failed, then the system counts as written what never reached the disk, and another sync alone
   * would do nothing: so the same bytes are written once more.
   */
  async syncRecoveredLog(): Promise<void> {
    const log = this.#log
    const size = log?.size() ?? 0
    if (!log || size === 0) return
    const buffer = new Uint8Array(Math.min(size, 1 << 20))
    for (let at = 0; at < size; ) {
      const read = this.calls.read(log.descriptor, buffer, at)
      if (read === 0) break
      writeFully(this.calls, log.descriptor, buffer.subarray(0, read), at)
      at += read
    }
    const accept = await this.syncLog()
    accept()
  }

  /** Whether the name still leads to the file that is open; true for one that is not open. */
  isInPlace(suffix: '' | '-wal'): boolean {
    const file = suffix === '' ? this.#main : this.#log
    if (!file) return true
    const found = this.#find(suffix)
    return found !== null && (file.number === null || found.ino === file.number)
  }

  /** @throws MisplacedFileError when the database file was removed or replaced */
  assertInPlace(): void {
    if (this.isInPlace('')) return
    throw new MisplacedFileError(this.file, this.#find('') ? 'file_replaced' : 'file_removed')
  }

  /** Hands the open files over; they are not closed with this connection. */
  lend(): HeldFiles | null {
    if (!this.#main) return null
    this.#lent = true
    return { main: this.#main, log: this.#log, logEnd: this.#extent.synced }
  }

  takeBack(): void {
    this.#lent = false
  }

  /** Of a failed connection: brings the files on disk to what is on disk for certain. */
  async putBack(): Promise<void> {
    if (this.#held) await putBack(this, this.#held)
  }

  /** @throws what stands in the way of writing, at the moment */
  tryWriting(): void {
    const file = `${this.file}-probe`
    const descriptor = this.calls.open(file, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      writeFully(this.calls, descriptor, new Uint8Array(probeBytes), 0)
      this.calls.fsync(descriptor)
    } finally {
      this.calls.close(descriptor)
      this.calls.unlink(file)
    }
  }

  /** Bytes of the database file and its log. */
  size(): number {
    return (this.#main?.size() ?? 0) + (this.#log?.size() ?? 0)
  }

  open(suffix: Suffix, flags: number): OpenFile {
    const found = this.#held ? this.#heldFile(suffix) : this.#openOrCreate(suffix, flags)
    const opened = new OpenFile(this, suffix, found)
    if (suffix === '-wal') {
      this.#log = opened
      this.#extent = new LogExtent()
    }
    if (suffix === '') this.#main = opened
    return opened
  }

  close(file: OpenFile): void {
    if (this.#log === file) this.#log = null
    if (this.#main === file) {
      this.#main = null
      this.#snapshot?.fail(new Error('The database was closed'))
    }
    if (this.#lent) return
    this.calls.close(file.descriptor)
    // A database that was only looked at leaves no empty log behind.
    if (file.suffix === '-wal' && this.#failure && this.#createdLog && this.logBytes === 0) {
      this.calls.unlink(this.#path('-wal'))
    }
  }

  stat(suffix: Suffix): FileStat {
    if (!this.#held) return this.calls.stat(this.#path(suffix))
    return this.#clip(suffix, this.calls.stat(this.#heldFile(suffix).descriptor))
  }

  statOpen({ suffix, descriptor }: OpenFile): FileStat {
    return this.#clip(suffix, this.calls.stat(descriptor))
  }

  access(suffix: Suffix, mode: number): void {
    if (this.#held) this.#heldFile(suffix)
    else this.calls.access(this.#path(suffix), mode)
  }

  unlink(suffix: Suffix): void {
    this.#mayChange()
    this.calls.unlink(this.#path(suffix))
    // A journal that came back after a power loss would undo what was committed since.
    this.calls.syncFolder(path.dirname(this.file))
  }

  truncate(file: OpenFile, size: number): void {
    this.#mayChange()
    if (file === this.#main) this.#snapshot?.beforeChange(size, this.#snapshot.size)
    this.calls.truncate(file.descriptor, size)
    if (file.suffix === '-wal') this.#extent.cut(size)
  }

  /** Reads until `into` is full or the file ends. */
  read(file: OpenFile, into: Uint8Array): number {
    let done = this.calls.read(file.descriptor, into, file.position)
    while (done < into.length) {
      const more = this.calls.read(file.descriptor, into.subarray(done), file.position + done)
      if (more === 0) break
      done += more
    }
    file.position += done
    return done
  }

  write(file: OpenFile, bytes: Uint8Array): number {
    this.#mayChange()
    if (file === this.#main) this.#snapshot?.beforeChange(file.position, bytes.length)
    if (file.suffix === '-wal') this.#extent.wrote(file.position, bytes.length)
    try {
      writeFully(this.calls, file.descriptor, bytes, file.position)
    } catch (error) {
      // A full disk is an honest answer: SQLite takes the transaction back and goes on. Anything else is not.
      const code = errorCode(error)
      if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EINTR') this.fail(error)
      throw error
    }
    file.position += bytes.length
    if (file.suffix === '-wal') this.logBytes += bytes.length
    return bytes.length
  }

  sync(file: OpenFile): void {
    this.#mayChange()
    const synced = file.suffix === '-wal' ? this.#extent.beginSync() : null
    try {
      this.calls.fsync(file.descriptor)
    } catch (error) {
      this.fail(error)
      throw error
    }
    if (!synced) return
    synced()
    this.#onLogSync()
  }

  /**
   * After a failed sync nobody knows what the disk holds, while the cache still answers as if all were well:
   * copying the log into the database then could destroy both, and so could a second try. The next open reads
   * what is really there, by its checksums.
   */
  fail(error: unknown): void {
    if (this.#failure) return
    this.freeze(asError(error))
    this.#onFailure(asError(error))
  }

  #path(suffix: Suffix): string {
    return this.file + suffix
  }

  #find(suffix: Suffix): FileStat | null {
    try {
      return this.calls.stat(this.#path(suffix))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  #heldFile(suffix: Suffix): HeldFile {
    const file = { '': this.#held?.main, '-wal': this.#held?.log, '-journal': null }[suffix]
    if (!file) throw Object.assign(new Error(`${this.#path(suffix)} is not open`), { code: 'ENOENT' })
    return file
  }

  /** Of the log of a failed connection only that part is there which is on disk for certain. */
  #clip(suffix: Suffix, stat: FileStat): FileStat {
    if (!this.#held || suffix !== '-wal' || Number(stat.size) <= this.#held.logEnd) return stat
    return { ...stat, size: BigInt(this.#held.logEnd) }
  }

  /** A created name must survive a power loss, and so must a found one, whose creator may have died too early. */
  #openOrCreate(suffix: Suffix, flags: number): HeldFile {
    const file = this.#path(suffix)
    const descriptor = this.#openFound(file, flags) ?? this.#create(suffix, flags)
    try {
      if (!this.#namesSynced) this.calls.syncFolder(path.dirname(file))
      this.#namesSynced = true
    } catch (error) {
      this.calls.close(descriptor)
      throw error
    }
    return this.#number(suffix, descriptor)
  }

  #openFound(file: string, flags: number): number | null {
    const mayCreate = (flags & constants.O_CREAT) !== 0
    if (mayCreate && flags & constants.O_EXCL) return null
    try {
      return this.calls.open(file, flags & ~constants.O_CREAT, 0o600)
    } catch (error) {
      if (mayCreate && errorCode(error) === 'ENOENT') return null
      throw error
    }
  }

  #create(suffix: Suffix, flags: number): number {
    this.#mayChange()
    const descriptor = this.calls.open(this.#path(suffix), flags | constants.O_EXCL, 0o600)
    this.#namesSynced = false
    if (suffix === '-wal') this.#createdLog = true
    return descriptor
  }

  #number(suffix: Suffix, descriptor: number): HeldFile {
    try {
      const number = this.calls.stat(descriptor).ino
      return { descriptor, number: this.#find(suffix)?.ino === number ? number : null }
    } catch (error) {
      this.calls.close(descriptor)
      throw error
    }
  }

  #mayChange(): void {
    if (this.#failure) throw Object.assign(new Error('No writes after a failure'), { code: 'EIO' })
  }
}
