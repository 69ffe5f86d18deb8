// Whether a database file is the one that was closed cleanly, and so needs no long look before it is used.
import { constants } from 'node:fs'
import type { DiskFiles, Suffix } from './disk-files.ts'
import { errorCode, type FileStat, writeFully } from './file-calls.ts'

/** A look at a file of this size takes half a second. Smaller ones are always looked at. */
export const longLookBytes = 64 << 20

/** Left beside a large file by its last close: what it is recognised by. */
const noteName = (disk: DiskFiles): string => `${disk.file}-clean`

/** A copied, restored, edited or shortened file is not recognised, nor one with a log that a crash left. */
export function wasClosedCleanly(disk: DiskFiles, from: number): boolean {
  const found = find(disk, '')
  if (!found || Number(found.size) < from) return false
  return !find(disk, '-wal') && !find(disk, '-journal') && readNote(disk) === marksOf(found)
}

/** Best effort: without the note, the next start takes longer. */
export function noteCleanClose(disk: DiskFiles, from: number): void {
  try {
    const found = find(disk, '')
    if (!found || Number(found.size) < from || find(disk, '-wal')) return
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
    const descriptor = disk.calls.open(noteName(disk), flags, 0o600)
    try {
      writeFully(disk.calls, descriptor, Buffer.from(marksOf(found)), 0)
    } finally {
      disk.calls.close(descriptor)
    }
  } catch (error) {
    disk.noteError(error)
  }
}

/** The time is compared for being the same, never for being earlier or later. */
const marksOf = ({ ino, size, mtimeNs }: FileStat): string => `${ino} ${size} ${mtimeNs}\n`

function readNote(disk: DiskFiles): string | null {
  try {
    const descriptor = disk.calls.open(noteName(disk), constants.O_RDONLY, 0)
    try {
      const bytes = Buffer.alloc(100)
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
