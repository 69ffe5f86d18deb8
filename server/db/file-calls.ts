// The only calls that reach a disk on behalf of the database. They are one object, so that a test can put
// itself between: record every write and sync, or answer as a full or broken disk would.
import fs from 'node:fs'
import path from 'node:path'

export interface FileStat {
  dev: bigint
  ino: bigint
  mode: bigint
  nlink: bigint
  size: bigint
  mtimeNs: bigint
}

export interface FileCalls {
  /** `flags` are this platform's (`fs.constants`). */
  open(file: string, flags: number, mode: number): number
  close(descriptor: number): void
  read(descriptor: number, into: Uint8Array, position: number): number
  write(descriptor: number, bytes: Uint8Array, position: number): number
  truncate(descriptor: number, size: number): void
  stat(file: string | number): FileStat
  access(file: string, mode: number): void
  unlink(file: string): void
  rename(from: string, to: string): void
  fsync(descriptor: number): void
  /** The one call that does not block: the sync which a group of commits waits for. */
  fdatasync(descriptor: number): Promise<void>
  /** Makes created and removed names in a folder survive a power loss. */
  syncFolder(folder: string): void
}

export const nodeFiles: FileCalls = {
  open: (file, flags, mode) => fs.openSync(file, flags, mode),
  close: (descriptor) => fs.closeSync(descriptor),
  read: (descriptor, into, position) => fs.readSync(descriptor, into, 0, into.length, position),
  write: (descriptor, bytes, position) => fs.writeSync(descriptor, bytes, 0, bytes.length, position),
  truncate: (descriptor, size) => fs.ftruncateSync(descriptor, size),
  stat: (file) =>
    typeof file === 'number' ? fs.fstatSync(file, { bigint: true }) : fs.statSync(file, { bigint: true }),
  access: (file, mode) => fs.accessSync(file, mode),
  unlink: (file) => fs.unlinkSync(file),
  rename: (from, to) => fs.renameSync(from, to),
  fsync: (descriptor) => fs.fsyncSync(descriptor),
  fdatasync: (descriptor) =>
    new Promise((resolve, reject) => {
      fs.fdatasync(descriptor, (error) => (error ? reject(error) : resolve()))
    }),
  syncFolder(folder) {
    // Windows cannot open a folder, and its file systems journal names by themselves.
    if (process.platform === 'win32') return
    const descriptor = fs.openSync(path.resolve(folder), 'r')
    try {
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  },
}

/** Repeats what the system cuts short. */
export function writeFully(calls: FileCalls, to: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const rest = done === 0 ? bytes : bytes.subarray(done)
    const written = calls.write(to, rest, position + done)
    if (written === 0) throw Object.assign(new Error('Nothing could be written'), { code: 'EIO' })
    done += written
  }
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
