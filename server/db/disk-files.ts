// One database file and its companions (the log and the journal) on disk, with the calls that SQLite makes on
// them. Here is also decided when a disk can no longer be trusted.
import { constants } from 'node:fs'
import path from 'node:path'
import type { FileCalls, FileStat } from './file-calls.ts'
import { FileSnapshot } from './file-snapshot.ts'

/** What SQLite asks for beside the database file; the empty string is the database itself. */
export type Suffix = '' | '-wal' | '-journal'

export class OpenFile {
  position = 0
  readonly disk: DiskFiles
  readonly suffix: Suffix
  readonly descriptor: number

  constructor(disk: DiskFiles, suffix: Suffix, descriptor: number) {
    this.disk = disk
    this.suffix = suffix
    this.descriptor = descriptor
  }

  size(): number {
    return Number(this.disk.calls.stat(this.descriptor).size)
  }
}

export class DiskFiles {
  readonly file: string
  readonly calls: FileCalls
  /** Bytes ever written to the log: it grows exactly when something is committed (or spilled before it). */
  logBytes = 0
  #lastError: Error | null = null
  #failure: Error | null = null
  #onFailure: (failure: Error) => void = () => {}
  #log: OpenFile | null = null
  #main: OpenFile | null = null
  #createdLog = false
  #snapshot: FileSnapshot | null = null

  constructor(file: string, calls: FileCalls) {
    this.file = path.resolve(file)
    this.calls = calls
  }

  /** The newest refusal of the operating system, which says more than SQLite's `disk I/O error`. */
  get lastError(): Error | null {
    return this.#lastError
  }

  /** Once the database is open, that a companion of it is not there is an answer and no error. */
  noteError(error: unknown): void {
    if (!this.#main || errorCode(error) !== 'ENOENT') this.#lastError = asError(error)
  }

  /** Why nothing may be written any more, or null. */
  get failure(): Error | null {
    return this.#failure
  }

  onFailure(listener: (failure: Error) => void): void {
    this.#onFailure = listener
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

  /** Syncs the log without blocking, which is what commits wait for. */
  async syncLog(): Promise<void> {
    if (!this.#log) return
    try {
      await this.calls.fdatasync(this.#log.descriptor)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  /**
   * What a killed process left in the log is read as committed, so it has to be as durable as that. A file is
   * opened without changing it, and this does not.
   */
  async syncRecoveredLog(): Promise<void> {
    if (this.#log && this.#log.size() > 0) await this.syncLog()
  }

  /** Whether the log that we write has no name any more. */
  isLogRemoved(): boolean {
    return this.#log !== null && this.calls.stat(this.#log.descriptor).nlink === 0n
  }

  /** Bytes of the database file and its log. */
  size(): number {
    return (this.#main?.size() ?? 0) + (this.#log?.size() ?? 0)
  }

  open(suffix: Suffix, flags: number): OpenFile {
    const file = this.#path(suffix)
    const descriptor = this.#openOrCreate(suffix, file, flags)
    const opened = new OpenFile(this, suffix, descriptor)
    if (suffix === '-wal') this.#log = opened
    if (suffix === '') this.#main = opened
    return opened
  }

  close(file: OpenFile): void {
    if (this.#log === file) this.#log = null
    if (this.#main === file) {
      this.#main = null
      this.#snapshot?.fail(new Error('The database was closed'))
    }
    this.calls.close(file.descriptor)
    // A database that was only looked at leaves no empty log behind.
    if (file.suffix === '-wal' && this.#failure && this.#createdLog && this.logBytes === 0) {
      this.calls.unlink(this.#path('-wal'))
    }
  }

  stat(suffix: Suffix): FileStat {
    return this.calls.stat(this.#path(suffix))
  }

  access(suffix: Suffix, mode: number): void {
    this.calls.access(this.#path(suffix), mode)
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
    let done = 0
    try {
      while (done < bytes.length) {
        const rest = done === 0 ? bytes : bytes.subarray(done)
        const written = this.calls.write(file.descriptor, rest, file.position + done)
        if (written === 0) throw Object.assign(new Error('Nothing could be written'), { code: 'EIO' })
        done += written
      }
    } catch (error) {
      // A full disk is an honest answer: SQLite takes the transaction back and goes on. Anything else is not.
      const code = errorCode(error)
      if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EINTR') this.#fail(error)
      throw error
    }
    file.position += done
    if (file.suffix === '-wal') this.logBytes += done
    return done
  }

  sync(file: OpenFile): void {
    this.#mayChange()
    try {
      this.calls.fsync(file.descriptor)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  /**
   * After a failed sync nobody knows what the disk holds, while the cache still answers as if all were well:
   * copying the log into the database then could destroy both, and so could a second try. The next open reads
   * what is really there, by its checksums.
   */
  #fail(error: unknown): void {
    if (this.#failure) return
    this.freeze(asError(error))
    this.#onFailure(asError(error))
  }

  #path(suffix: Suffix): string {
    return this.file + suffix
  }

  /** Tells a created file from a found one, because only a new name has to be synced in its folder. */
  #openOrCreate(suffix: Suffix, file: string, flags: number): number {
    const mayCreate = (flags & constants.O_CREAT) !== 0
    if (!mayCreate || !(flags & constants.O_EXCL)) {
      try {
        return this.calls.open(file, flags & ~constants.O_CREAT, 0o600)
      } catch (error) {
        if (!mayCreate || errorCode(error) !== 'ENOENT') throw error
      }
    }
    this.#mayChange()
    const descriptor = this.calls.open(file, flags | constants.O_EXCL, 0o600)
    if (suffix === '-wal') this.#createdLog = true
    try {
      this.calls.syncFolder(path.dirname(file))
    } catch (error) {
      this.calls.close(descriptor)
      throw error
    }
    return descriptor
  }

  #mayChange(): void {
    if (this.#failure) throw Object.assign(new Error('No writes after a failure'), { code: 'EIO' })
  }
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
