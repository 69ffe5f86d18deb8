// Whether a database file is as this program left it, and so needs no long look before it is used.
import { constants, readFileSync } from 'node:fs'
import type { DiskFiles, Suffix } from './disk-files.ts'
import { errorCode, type FileStat, writeFully } from './file-calls.ts'

/** A look at a file of this size takes half a second. Smaller ones are always looked at. */
export const longLookBytes = 64 << 20

/** Kept beside a large file: what it is recognised by. */
const noteName = (disk: DiskFiles): string => `${disk.file}-clean`

/**
 * A copied, restored, edited or shortened file is not recognised. After a crash of the program it is, since that takes
 * nothing from the system's memory, and the log goes over what a checkpoint had left; after one of the machine it is not.
 */
export function isAsLeft(disk: DiskFiles, from: number): boolean {
  const found = find(disk, '')
  if (!found || Number(found.size) < from || find(disk, '-journal')) return false
  const note = readNote(disk)
  return note === marksOf(found, 'in use') || (note === marksOf(found, 'closed') && !find(disk, '-wal'))
}

/**
 * Notes how the file is now, which only a checkpoint changes. Best effort: without the note, the next start takes
 * longer.
 */
export function noteAsLeft(disk: DiskFiles, from: number, state: 'in use' | 'closed'): void {
  try {
    const found = find(disk, '')
    if (!found || Number(found.size) < from || (state === 'closed' && find(disk, '-wal'))) return
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
    const descriptor = disk.calls.open(noteName(disk), flags, 0o600)
    try {
      writeFully(disk.calls, descriptor, Buffer.from(marksOf(found, state)), 0)
    } finally {
      disk.calls.close(descriptor)
    }
  } catch (error) {
    disk.noteError(error)
  }
}

/** The time is compared for being the same, never for being earlier or later. */
const marksOf = ({ ino, size, mtimeNs }: FileStat, state: 'in use' | 'closed'): string =>
  `${ino} ${size} ${mtimeNs}\n${state === 'in use' ? `in use, boot ${bootId()}\n` : ''}`

let knownBootId: string | undefined

/** Changes with each start of the machine. Where the system does not tell, every crash counts as the machine's. */
function bootId(): string {
  if (knownBootId === undefined) {
    try {
      knownBootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    } catch {
      knownBootId = `unknown to process ${process.pid} since ${performance.timeOrigin}`
    }
  }
  return knownBootId
}

function readNote(disk: DiskFiles): string | null {
  try {
    const descriptor = disk.calls.open(noteName(disk), constants.O_RDONLY, 0)
    try {
      const bytes = Buffer.alloc(200)
      return bytes.toString('utf8', 0, disk.calls.read(descriptor, bytes, 0))
    } finally {
      disk.calls.close(descriptor)
    }
  } catch {
    return null
  }
}

function find(disk: DiskFiles, suffix: Suffix): FileStat | null {
  try {
    return disk.stat(suffix)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
