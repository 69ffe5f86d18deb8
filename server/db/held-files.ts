// The files of a connection that failed, and how to bring what is on disk back to what was acknowledged.
import { constants } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { errorCode, type FileCalls, writeFully } from './file-calls.ts'

/** The files of a connection that failed. They stay open, so that what was acknowledged can be read. */
export interface HeldFiles {
  main: HeldFile
  log: HeldFile | null
  /** Where the part of the log ends that is on disk for certain. */
  logEnd: number
  /** Where all that is in them was saved, when another file took their place. */
  keptAs?: string
}

export interface HeldFile {
  descriptor: number
  number: bigint | null
}

/** A file that is in use is not where its name says any more. */
export class MisplacedFileError extends Error {
  readonly what: 'file_removed' | 'file_replaced' | 'folder_removed'
  /** Where the file that was in use has been saved. */
  readonly keptAs: string | undefined

  constructor(file: string, what: MisplacedFileError['what'], keptAs?: string) {
    super(`${file}: ${what.replace('_', ' ')} while it was in use`)
    this.what = what
    this.keptAs = keptAs
  }
}

interface DiskPlace {
  file: string
  calls: FileCalls
  isInPlace(suffix: '' | '-wal'): boolean
}

const chunkBytes = 1 << 20

/**
 * Cuts off what was never acknowledged, and writes files that were removed anew, from their open descriptors.
 * @throws MisplacedFileError when somebody else's file is in the place of the database, which is not touched
 */
export async function putBack(disk: DiskPlace, held: HeldFiles): Promise<void> {
  const { calls, file } = disk
  const { main, log } = held
  const folder = path.dirname(file)
  if (!exists(calls, folder)) throw new MisplacedFileError(folder, 'folder_removed')
  const isMainInPlace = disk.isInPlace('')
  if (!isMainInPlace && exists(calls, file)) {
    held.keptAs ??= await keepAside(calls, file, held)
    throw new MisplacedFileError(file, 'file_replaced', held.keptAs)
  }
  if (log) {
    const end = Math.min(held.logEnd, sizeOf(calls, log.descriptor))
    if (disk.isInPlace('-wal')) {
      if (sizeOf(calls, log.descriptor) > end) calls.truncate(log.descriptor, end)
      await calls.fdatasync(log.descriptor)
    } else if (end > 0 || exists(calls, `${file}-wal`)) {
      await copyTo(calls, log.descriptor, end, `${file}-wal`)
    }
  }
  if (!isMainInPlace) await copyTo(calls, main.descriptor, sizeOf(calls, main.descriptor), file)
}

/** What was acknowledged would be gone with this process: it is kept beside the file that took its place. */
async function keepAside(calls: FileCalls, file: string, { main, log, logEnd }: HeldFiles): Promise<string> {
  let name = `${file}.replaced`
  for (let i = 2; exists(calls, name); i++) name = `${file}.replaced-${i}`
  if (log) {
    const end = Math.min(logEnd, sizeOf(calls, log.descriptor))
    await copyTo(calls, log.descriptor, end, `${name}-wal`)
  }
  await copyTo(calls, main.descriptor, sizeOf(calls, main.descriptor), name)
  return name
}

/** In pieces, so that reads are answered meanwhile; under its name only when it is whole and on disk. */
async function copyTo(calls: FileCalls, from: number, size: number, target: string): Promise<void> {
  const draft = `${target}.partial`
  const to = calls.open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
  try {
    const buffer = new Uint8Array(chunkBytes)
    for (let done = 0; done < size; await turn()) {
      const read = calls.read(from, buffer.subarray(0, Math.min(chunkBytes, size - done)), done)
      if (read === 0) throw Object.assign(new Error('The file ends too early'), { code: 'EIO' })
      writeFully(calls, to, buffer.subarray(0, read), done)
      done += read
    }
    await calls.fdatasync(to)
  } finally {
    calls.close(to)
  }
  calls.rename(draft, target)
  calls.syncFolder(path.dirname(target))
}

const sizeOf = (calls: FileCalls, descriptor: number): number => Number(calls.stat(descriptor).size)

function exists(calls: FileCalls, file: string): boolean {
  try {
    calls.stat(file)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}
