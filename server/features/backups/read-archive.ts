/** Reads backups, believing nothing: not their names, not their sizes, not that they are whole. */
import { createHash } from 'node:crypto'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { migrations } from '../../db/migrations/index.ts'
import { VERSION } from '../../version.ts'
import { UnusableBackupError } from './errors.ts'
import {
  asManifest,
  DATABASE_NAME,
  FORMAT,
  isArchivable,
  MANIFEST_NAME,
  type Manifest,
  parseJson,
  portions,
} from './manifest.ts'
import type { WorkOptions } from './write-archive.ts'
import { type Entry, openZip, type ZipReader } from './zip-reader.ts'
import { SYNC_EVERY_BYTES } from './zip-writer.ts'

const MAX_MANIFEST_BYTES = 256 << 20

export interface Archive {
  manifest: Manifest
  /** Sum of the sizes of all files. */
  bytes: number
  /** Reads and compares every byte. @throws UnusableBackupError */
  verify: (options?: WorkOptions) => Promise<void>
  /** Writes all files below a folder, comparing every byte on the way. @throws UnusableBackupError */
  unpack: (folder: string, options?: WorkOptions) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens a backup and checks that it holds what its manifest says, and that this program can use it.
 * @throws UnusableBackupError
 */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openZip(file).catch((error: unknown) => {
    throw unusable(error)
  })
  try {
    const entries = await readDirectory(zip)
    const manifest = await readManifest(zip, entries.get(MANIFEST_NAME))
    assertUsable(manifest)
    await assertSameFiles(manifest, entries)
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)

    const forEachFile = async (
      { signal, onProgress = () => {} }: WorkOptions,
      write?: (name: string, chunks: AsyncIterable<Uint8Array>) => Promise<void>,
    ) => {
      let done = 0
      for (const expected of manifest.files) {
        const entry = entries.get(expected.name) as Entry
        const chunks = compare(zip, entry, expected, (length) => {
          signal?.throwIfAborted()
          done += length
          onProgress(done, bytes)
        })
        if (write) await write(expected.name, chunks)
        else for await (const _ of chunks);
      }
    }
    return {
      manifest,
      bytes,
      verify: (options = {}) => forEachFile(options),
      unpack: (folder, options = {}) =>
        forEachFile(options, (name, chunks) => writeFile(join(folder, name), chunks)),
      close: () => zip.close(),
    }
  } catch (error) {
    await zip.close()
    throw error
  }
}

async function readDirectory(zip: ZipReader): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.entries()) {
      const { fileName: name } = entry
      if (entries.has(name)) throw new UnusableBackupError(`It holds '${name}' twice.`)
      if (name !== MANIFEST_NAME && !isArchivable(name)) {
        throw new UnusableBackupError(`It holds '${name}', which is no part of a backup.`)
      }
      if (!entry.canDecodeFileData()) throw new UnusableBackupError(`'${name}' cannot be read.`)
      entries.set(name, entry)
    }
  } catch (error) {
    throw unusable(error)
  }
  return entries
}

async function readManifest(zip: ZipReader, entry: Entry | undefined): Promise<Manifest> {
  if (!entry) throw new UnusableBackupError('This is not a Parley backup: it has no manifest.')
  if (entry.uncompressedSize > MAX_MANIFEST_BYTES) {
    throw new UnusableBackupError('This is not a Parley backup: its manifest is too large.')
  }
  const parts: Uint8Array[] = []
  let value: unknown
  try {
    let length = 0
    for await (const chunk of zip.read(entry)) {
      length += chunk.length
      if (length > MAX_MANIFEST_BYTES) throw new Error('it is too large')
      parts.push(new Uint8Array(chunk)) // a chunk is valid until the next is asked for
    }
    const text = Buffer.concat(parts)
    if (crc32(text) !== entry.crc32) throw new Error('it is not what was saved')
    value = await parseJson(text.toString())
  } catch (error) {
    throw new UnusableBackupError(`Its manifest is damaged: ${messageOf(error)}.`)
  }
  // A newer format may look different in everything else.
  if (typeof value === 'object' && value !== null && 'format' in value && Number(value.format) > FORMAT) {
    throw new UnusableBackupError(
      `It has format ${String(value.format)}, but Parley ${VERSION} knows none after ${FORMAT}: take a newer Parley.`,
    )
  }
  const manifest = await asManifest(value)
  if (!manifest) throw new UnusableBackupError('This is not a Parley backup: its manifest is another.')
  return manifest
}

function assertUsable({ schema_version, version }: Manifest): void {
  if (schema_version <= migrations.length) return
  throw new UnusableBackupError(
    `It was made by Parley ${version} and has schema ${schema_version}, but Parley ${VERSION} knows none after ` +
      `${migrations.length}: take a newer Parley.`,
  )
}

async function assertSameFiles(manifest: Manifest, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const listed = new Set<string>()
  for await (const portion of portions(manifest.files)) {
    for (const { name, size } of portion) {
      const entry = name === MANIFEST_NAME ? undefined : entries.get(name)
      if (!entry || listed.has(name))
        throw new UnusableBackupError(`'${name}' is not in it as its manifest says.`)
      if (entry.uncompressedSize !== size) {
        throw new UnusableBackupError(`'${name}' has another size than its manifest says.`)
      }
      listed.add(name)
    }
  }
  // Every listed one is an entry, and the manifest itself is one more.
  if (entries.size > listed.size + 1) {
    const more = [...entries.keys()].find((name) => name !== MANIFEST_NAME && !listed.has(name))
    throw new UnusableBackupError(`It holds '${more}', of which its manifest says nothing.`)
  }
  if (!listed.has(DATABASE_NAME)) throw new UnusableBackupError('It holds no database.')
}

/** The bytes of one file. Ends with an error unless they are exactly those that the manifest describes. */
async function* compare(
  zip: ZipReader,
  entry: Entry,
  { name, size, sha256 }: Manifest['files'][number],
  onRead: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const chunks = zip.read(entry)
  let length = 0
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw new UnusableBackupError(`'${name}' is damaged: ${messageOf(error)}.`)
      })
      if (next.done) break
      length += next.value.length
      if (length > size) throw new UnusableBackupError(`'${name}' is longer than its manifest says.`)
      hash.update(next.value)
      onRead(next.value.length)
      yield next.value
    }
  } finally {
    await chunks.return(undefined)
  }
  if (length !== size || hash.digest('hex') !== sha256) {
    throw new UnusableBackupError(`'${name}' is damaged: it is not what was saved.`)
  }
}

/** A new file, on disk when this is done; its folder is for the caller to sync. */
export async function writeFile(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'wx', 0o600)
  try {
    let unsynced = 0
    for await (const chunk of chunks) {
      await handle.writeFile(chunk)
      unsynced += chunk.length
      if (unsynced < SYNC_EVERY_BYTES) continue
      await handle.datasync()
      unsynced = 0
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * What a database file says of itself in its first hundred bytes.
 * @throws UnusableBackupError when it is none
 */
export async function readDatabaseHeader(file: string): Promise<{ schemaVersion: number; bytes: number }> {
  const handle = await open(file, 'r')
  try {
    const header = Buffer.alloc(100)
    const { bytesRead } = await handle.read(header, 0, 100, 0)
    if (bytesRead < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
      throw new UnusableBackupError('This is not a Parley backup.')
    }
    const { size } = await stat(file)
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    // The size in the header holds when it was written together with the last change.
    const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92)
    if (isCurrent && header.readUInt32BE(28) * pageSize > size) {
      throw new UnusableBackupError('It is cut off.')
    }
    return { schemaVersion: header.readUInt32BE(60), bytes: size }
  } finally {
    await handle.close()
  }
}

function unusable(error: unknown): UnusableBackupError | Error {
  if (error instanceof UnusableBackupError) return error
  // The operating system's word on a file that cannot be read says more than ours.
  if (error instanceof Error && 'syscall' in error) return error
  const message = messageOf(error)
  if (message.startsWith('End of central directory')) {
    return new UnusableBackupError('This is not a Parley backup, or its end is cut off.')
  }
  return new UnusableBackupError(`It is damaged, or not a Parley backup: ${message}.`)
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
