/** Makes a backup: one file with the database of one moment, the uploads and the configuration. */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { DataFolder } from '../../db/data-folder.ts'
import type { Database } from '../../db/database.ts'
import { errorCode } from '../../db/disk-files.ts'
import { nodeFiles } from '../../db/file-calls.ts'
import { VERSION } from '../../version.ts'
import {
  CONFIG_NAME,
  DATABASE_NAME,
  FILE_FOLDERS,
  FORMAT,
  isArchivable,
  MANIFEST_NAME,
  type Manifest,
  manifestText,
} from './manifest.ts'
import { currentLimits, filesBelow, isPassing, referencedFiles } from './stored-files.ts'
import { type ZipEntry, ZipWriter } from './zip-writer.ts'

export interface WorkOptions {
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

/** What must stay free on the disk, so that the server itself can go on writing. */
const RESERVE_BYTES = 64 << 20
const CHUNK_BYTES = 256 << 10

/**
 * Writes the backup to a file that is not there yet. What was committed when this is called is in it.
 * @param now UNIX seconds
 */
export async function writeArchive(
  target: string,
  { database, folder, now }: { database: Database; folder: DataFolder; now: number },
  { signal, onProgress = () => {} }: WorkOptions = {},
): Promise<Manifest> {
  const limits = currentLimits(database)
  const schema = database.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  const snapshot = database.snapshot()
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}.partial`)
  try {
    const files = await listFiles(folder)
    let done = 0
    const total = files.reduce((sum, { size }) => sum + size, snapshot.size)
    await refuseFullDisk(dirname(target), total)
    const count = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        signal?.throwIfAborted()
        yield chunk
        done += chunk.length
        onProgress(Math.min(done, total), total)
      }
    }

    const handle = await open(draft, 'wx', 0o600)
    let manifest: Manifest
    try {
      const zip = new ZipWriter(handle, new Date(now * 1000))
      const entries = [await zip.add(DATABASE_NAME, count(snapshot.chunks(CHUNK_BYTES)))]
      for (const { name } of files) {
        const entry = await addFile(zip, name, join(folder.path, name), count)
        if (entry) entries.push(entry)
      }
      manifest = {
        format: FORMAT,
        program: 'parley',
        version: VERSION,
        schema_version: schema,
        created_at: now,
        files: entries,
        missing: [],
      }
      const kept = new Set(entries.map(({ name }) => name))
      for await (const { name } of referencedFiles(database, limits)) {
        // A picture that took another's place meanwhile is there, though not in this backup.
        const isThere = kept.has(name) || (await stat(join(folder.path, name)).catch(() => null)) !== null
        if (!isThere) manifest.missing.push(name)
      }
      await zip.add(MANIFEST_NAME, manifestText(manifest))
      await zip.finish()
    } finally {
      await handle.close()
    }
    signal?.throwIfAborted()
    await placeFile(draft, target)
    return manifest
  } finally {
    snapshot.end()
    await rm(draft, { force: true })
  }
}

async function listFiles(folder: DataFolder): Promise<{ name: string; size: number }[]> {
  const files: { name: string; size: number }[] = []
  const note = async (name: string) => {
    if (!isArchivable(name)) return
    const found = await stat(join(folder.path, name)).catch(() => null)
    if (found?.isFile()) files.push({ name, size: found.size })
  }
  await note(CONFIG_NAME)
  for (const kept of FILE_FOLDERS) {
    for await (const name of filesBelow(join(folder.path, kept))) {
      if (kept !== 'uploads' || !isPassing(name)) await note(`${kept}/${name}`)
    }
  }
  return files
}

/** Answers null when the file is gone meanwhile. */
async function addFile(
  zip: ZipWriter,
  name: string,
  file: string,
  count: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<ZipEntry | null> {
  let handle
  try {
    handle = await open(file, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  const chunks = createReadStream(file, { fd: handle, highWaterMark: CHUNK_BYTES })
  try {
    return await zip.add(name, count(chunks))
  } finally {
    chunks.destroy() // closes the file, also when it was not read to its end
  }
}

/** How many bytes may be written there. */
export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.max(0, bavail * bsize - RESERVE_BYTES)
}

/** @throws when there is not room for so many bytes */
export async function refuseFullDisk(folder: string, bytes: number): Promise<void> {
  const room = await roomIn(folder)
  if (bytes <= room) return
  const mb = (count: number): string => `${Math.ceil(count / 1e6)} MB`
  throw new Error(`There is not enough room in ${folder}: it takes ${mb(bytes)}, and ${mb(room)} may be used`)
}

/** Gives a finished file its name, unless there is one of that name. */
export async function placeFile(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new Error(`${target} exists already`, { cause: error })
    // A file system without hard links.
    if (await stat(target).catch(() => null)) throw new Error(`${target} exists already`, { cause: error })
    await rename(draft, target)
  }
  nodeFiles.syncFolder(dirname(target))
}
