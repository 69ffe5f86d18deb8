import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type DataFolder, openDataFolder } from '../../db/data-folder.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { UnusableBackupError } from './errors.ts'
import { isArchivable, Manifest } from './manifest.ts'
import { openArchive } from './read-archive.ts'
import { finishRestore, stageRestore, verifyBackup } from './restore-folder.ts'
import { writeArchive } from './write-archive.ts'
import { ZipWriter } from './zip-writer.ts'

const now = 1_795_000_000
let place: string

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'parley-archive-'))
  return () => rm(place, { recursive: true })
})

interface Source {
  folder: DataFolder
  database: Database
}

/** A data folder with a realm, an upload and an emoji, with their rows. */
async function makeFolder(name = 'data'): Promise<Source> {
  const folder = await openDataFolder(join(place, name))
  const database = await openDatabase(folder.database)
  onTestFinished(async () => {
    await database.close()
    folder.release()
  })
  await migrate(database, migrations, { file: folder.database, version: '1.0.0' })
  database.exec(`
    INSERT INTO realms (id, string_id, name, date_created) VALUES (1, 'acme', 'Acme', 0);
    INSERT INTO users (id, realm_id, delivery_email, email_key, full_name, role, date_joined, api_key)
      VALUES (1, 1, 'a@b.example', 'a@b.example', 'Ann', 100, 0, 'k');
    INSERT INTO attachments (id, realm_id, owner_id, name, path_id, content_type, size, create_time)
      VALUES (1, 1, 1, 'plän.txt', '1/ab/cdef/plän.txt', 'text/plain', 5, 0),
             (2, 1, 1, 'gone.txt', '1/ab/0000/gone.txt', 'text/plain', 5, 0);
    INSERT INTO realm_emoji (realm_id, name, file_name) VALUES (1, 'boat', 'boat.png')`)
  await put(folder.path, 'uploads/1/ab/cdef/plän.txt', 'hello')
  await put(folder.path, 'uploads/1/emoji/boat.png', 'picture')
  await put(folder.path, 'uploads/1/empty', '')
  await put(folder.path, 'config.json', '{"heartbeatSeconds":33}')
  return { folder, database }
}

async function put(folder: string, name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}

async function makeBackup(source?: Source): Promise<string> {
  const file = join(place, 'all.parley-backup')
  await writeArchive(file, { ...(source ?? (await makeFolder())), now })
  return file
}

/** Everything below a folder, to be compared. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    contents[file.slice(folder.length + 1)] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  }
  return contents
}

/** Tries to restore into a folder that holds something. @returns why it was refused; what it held is unchanged then */
async function refusal(file: string): Promise<string | null> {
  const target = join(place, 'target')
  await put(target, 'parley.db', 'the old database')
  await put(target, 'uploads/1/ab/cdef/old.txt', 'old')
  const before = await contentsOf(target)
  try {
    await stageRestore(file, target, { now })
  } catch (error) {
    if (!(error instanceof UnusableBackupError)) throw error
    expect(await contentsOf(target)).toEqual(before)
    expect((await readdir(target)).toSorted()).toEqual(['parley.db', 'uploads'])
    await expect(verifyBackup(file)).rejects.toThrow(error.message)
    return error.message
  }
  await rm(target, { recursive: true })
  return null
}

test('everything comes back, and what is missing is named', async () => {
  const source = await makeFolder()
  const file = join(place, 'all.parley-backup')
  const progress: number[][] = []
  const onProgress = (done: number, total: number) => progress.push([done, total])
  const manifest = await writeArchive(file, { ...source, now }, { onProgress })
  expect(manifest).toMatchObject({ format: 1, schema_version: migrations.length, created_at: now })
  expect(manifest.missing).toEqual(['uploads/1/ab/0000/gone.txt'])
  expect(manifest.files.map(({ name }) => name).toSorted()).toEqual([
    'config.json',
    'parley.db',
    'uploads/1/ab/cdef/plän.txt',
    'uploads/1/emoji/boat.png',
    'uploads/1/empty',
  ])
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0)
  expect(progress.at(-1)).toEqual([total, total])
  expect((await readdir(place)).toSorted()).toEqual(['all.parley-backup', 'data'])
  await verifyBackup(file)

  const target = join(place, 'elsewhere')
  await mkdir(target)
  await stageRestore(file, target, { now })
  expect(await finishRestore(target)).toMatchObject({ ok: true, created_at: now, aside: null })
  const { 'parley.db': _, ...files } = await contentsOf(target)
  const {
    'parley.db': _db,
    'parley.db-wal': _log,
    'parley.lock': _lock,
    ...expected
  } = await contentsOf(source.folder.path)
  expect(files).toEqual(expected)
  const restored = await openDatabase(join(target, 'parley.db'))
  expect(restored.check(true)).toEqual([])
  expect(restored.all('SELECT string_id FROM realms')).toEqual([{ string_id: 'acme' }])
  await restored.close()
})

test('a file of that name is not overwritten', async () => {
  const source = await makeFolder()
  const file = join(place, 'all.parley-backup')
  await writeFile(file, 'mine')
  await expect(writeArchive(file, { ...source, now })).rejects.toThrow('exists already')
  expect(await readFile(file, 'utf8')).toBe('mine')
  expect((await readdir(place)).toSorted()).toEqual(['all.parley-backup', 'data'])
})

test('stopped in the middle, nothing is left, and the next one works', async () => {
  const source = await makeFolder()
  const stop = new AbortController()
  const onProgress = () => stop.abort(new Error('enough'))
  const file = join(place, 'all.parley-backup')
  await expect(writeArchive(file, { ...source, now }, { signal: stop.signal, onProgress })).rejects.toThrow(
    'enough',
  )
  expect(await readdir(place)).toEqual(['data'])
  await verifyBackup(await makeBackup(source))
})

test('a file that is gone before its turn is reported, and nothing fails', async () => {
  const source = await makeFolder()
  let removed: Promise<void> | undefined
  const onProgress = () => {
    removed ??= rm(join(source.folder.path, 'uploads/1/ab/cdef/plän.txt'))
  }
  const file = join(place, 'all.parley-backup')
  const manifest = await writeArchive(file, { ...source, now }, { onProgress })
  await removed
  expect(manifest.missing).toContain('uploads/1/ab/cdef/plän.txt')
  await verifyBackup(file)
})

describe('refused, and nothing changed', () => {
  test('cut off, wherever that may be', async () => {
    const file = await makeBackup()
    const whole = await readFile(file)
    const cut = join(place, 'cut.parley-backup')
    const directory = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const lengths = [0, 1, 29, 30, 5000, directory - 1, directory, directory + 10, whole.length - 98]
    for (let end = whole.length - 97; end < whole.length; end += 7) lengths.push(end)
    for (let i = 1; i < 20; i++) lengths.push(Math.floor((whole.length * i) / 20))
    for (const length of [...lengths, whole.length - 1]) {
      await writeFile(cut, whole.subarray(0, length))
      expect(await refusal(cut), `${length} of ${whole.length} bytes`).toMatch(/not a Parley backup|damaged/)
    }
  })

  test('with one byte altered, or as good as it was', async () => {
    const file = await makeBackup()
    const whole = await readFile(file)
    const altered = join(place, 'altered.parley-backup')
    const archive = await openArchive(file)
    await archive.close()
    const contents = archive.manifest.files
    const directory = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    // Every byte of the last structure, and a sample of all others.
    const places = Array.from({ length: 98 }, (_, i) => whole.length - 98 + i)
    for (let at = directory; at < whole.length - 98; at += 5) places.push(at)
    for (let i = 0; i < 50; i++) places.push(Math.floor((directory * i) / 50))
    let refused = 0
    for (const at of places) {
      const copy = Buffer.from(whole)
      copy[at] = (copy[at] ?? 0) ^ 0x01
      await writeFile(altered, copy)
      try {
        const opened = await openArchive(altered)
        try {
          await opened.verify()
          // What nobody reads, such as a time in the directory, harms nobody.
          expect(opened.manifest.files, `byte ${at}`).toEqual(contents)
        } finally {
          await opened.close()
        }
      } catch (error) {
        if (!(error instanceof UnusableBackupError)) throw error
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(places.length / 2)
    // The contents of a file and of the manifest never pass.
    for (const text of ['hello', 'SQLite format 3', '"created_at"', '{"heartbeat']) {
      const copy = Buffer.from(whole)
      const at = copy.indexOf(text) + 2
      copy[at] = (copy[at] ?? 0) ^ 0x01
      await writeFile(altered, copy)
      expect(await refusal(altered), `${text}`).toMatch(/damaged/)
    }
  }, 60_000)

  test('something else altogether', async () => {
    const file = join(place, 'other.parley-backup')
    await writeFile(file, 'Dear diary')
    expect(await refusal(file)).toContain('not a Parley backup')
    await writeFile(file, makeZip([{ name: 'uploads/a.txt', data: 'a' }]))
    expect(await refusal(file)).toContain('no manifest')
    await writeFile(file, makeZip([{ name: 'manifest.json', data: '{"files":[]}' }]))
    expect(await refusal(file)).toContain('not a Parley backup')
    await writeFile(file, makeZip([{ name: 'manifest.json', data: 'oh' }]))
    expect(await refusal(file)).toContain('manifest is damaged')
  })

  test('of a newer Parley', async () => {
    const file = join(place, 'newer.parley-backup')
    await writeFile(file, makeZip([{ name: 'manifest.json', data: '{"format":2,"all":"different"}' }]))
    expect(await refusal(file)).toMatch(/format 2.*take a newer Parley/)
    await writeFile(
      file,
      zipOf({ 'parley.db': 'x' }, { schema_version: migrations.length + 1, version: '9.0.0' }),
    )
    expect(await refusal(file)).toMatch(/made by Parley 9\.0\.0.*take a newer Parley/)
  })

  test('with names that lead out of the folder', async () => {
    const file = join(place, 'names.parley-backup')
    for (const name of [
      '../x',
      'uploads/../../x',
      'uploads/..',
      '/etc/x',
      'C:/x',
      'uploads\\..\\x',
      'uploads//x',
      'uploads/./x',
      'uploads/',
      'backups/x.parley-backup',
      'parley.db-wal',
      'restore-pending.json',
    ]) {
      await writeFile(file, zipOf({ 'parley.db': 'x', [name]: 'y' }))
      expect(await refusal(file), `${name}`).toMatch(/no part of a backup|invalid|absolute|relative/)
    }
    expect(await readdir(place)).toEqual(['names.parley-backup', 'target'])
  })

  test('that does not hold what its manifest says', async () => {
    const file = join(place, 'wrong.parley-backup')
    const files = { 'parley.db': 'x', 'uploads/a': 'y' }
    await writeFile(file, zipOf(files, {}, { leaveOut: 'uploads/a' }))
    expect(await refusal(file)).toMatch(/'uploads\/a' is not in it/)
    await writeFile(file, zipOf(files, {}, { more: { 'uploads/b': 'z' } }))
    expect(await refusal(file)).toMatch(/'uploads\/b', of which its manifest says nothing/)
    await writeFile(file, zipOf(files, {}, { more: { 'uploads/a': 'y' } }))
    expect(await refusal(file)).toMatch(/'uploads\/a' twice/)
    await writeFile(file, zipOf({ 'uploads/a': 'y' }))
    expect(await refusal(file)).toMatch(/no database/)
    await writeFile(file, zipOf({ 'parley.db': 'not a database, but as long as one has to be'.repeat(9) }))
    expect(await refusalOfUnpacking(file)).toMatch(/not a Parley backup/)
  })

  test('that unpacks to more than it says', async () => {
    const file = join(place, 'bomb.parley-backup')
    const bomb = Buffer.alloc(50_000_000)
    const small = { size: 1000, sha256: createHash('sha256').update(bomb).digest('hex') }
    const zip = (declared?: number) =>
      makeZip([
        { name: 'parley.db', data: bomb, deflate: true, ...(declared === undefined ? {} : { declared }) },
        { name: 'manifest.json', data: JSON.stringify(manifestOf([{ name: 'parley.db', ...small }])) },
      ])
    await writeFile(file, zip())
    expect((await stat(file)).size).toBeLessThan(100_000)
    expect(await refusal(file)).toMatch(/another size/)
    await writeFile(file, zip(1000))
    expect(await refusal(file)).toMatch(/damaged|longer/)
  })

  test('for which there is no room', async () => {
    const file = join(place, 'large.parley-backup')
    const size = Number.MAX_SAFE_INTEGER - 1
    const files = [{ name: 'parley.db', size, sha256: '0'.repeat(64) }]
    await writeFile(file, makeZip([{ name: 'manifest.json', data: JSON.stringify(manifestOf(files)) }]))
    expect(await refusal(file)).toMatch(/not in it/)
    const source = await makeFolder()
    const target = join(source.folder.path, 'uploads/sparse')
    const handle = await open(target, 'w')
    const canBeSparse = await handle.truncate(200 * 2 ** 40).then(
      () => true,
      () => false,
    )
    await handle.close()
    if (!canBeSparse) return
    await expect(writeArchive(join(place, 'b'), { ...source, now })).rejects.toThrow('not enough room')
    expect(await readdir(place)).not.toContain('b')
  })

  test('a copy of a database that is in use, newer, or none', async () => {
    const { folder, database } = await makeFolder()
    const file = join(place, 'before-migration-1-to-2.db')
    database.checkpoint()
    await copyFile(folder.database, file)
    await verifyBackup(file)
    await writeFile(`${file}-wal`, 'x')
    expect(await refusal(file)).toContain('in use')
    await rm(`${file}-wal`)
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, 8192))
    expect(await refusal(file)).toContain('cut off')
    bytes.writeUInt32BE(99, 60)
    await writeFile(file, bytes)
    expect(await refusal(file)).toContain('schema 99')
    await writeFile(file, 'x'.repeat(5000))
    expect(await refusal(file)).toContain('not a Parley backup')
  })
})

test('an archive that was packed anew by another program is as good', async () => {
  const file = await makeBackup()
  const original = await openArchive(file)
  const folder = join(place, 'unpacked')
  await original.unpack(folder)
  await original.close()
  const entries = await Promise.all(
    original.manifest.files.map(async ({ name }) => ({
      name,
      data: await readFile(join(folder, name)),
      deflate: true,
    })),
  )
  const manifest = { name: 'manifest.json', data: JSON.stringify(original.manifest), deflate: true }
  const again = join(place, 'again.parley-backup')
  await writeFile(again, makeZip([manifest, ...entries]))
  await verifyBackup(again)
  expect(await refusal(again)).toBeNull()
})

test('thousands of files', async () => {
  const file = join(place, 'many.zip')
  const handle = await open(file, 'wx')
  const zip = new ZipWriter(handle, new Date())
  const files = [await zip.add('parley.db', [Buffer.from('x')])]
  for (let i = 0; i < 3000; i++) files.push(await zip.add(`uploads/1/${i}.txt`, [Buffer.from(`file ${i}`)]))
  await zip.add('manifest.json', [Buffer.from(JSON.stringify(manifestOf(files)))])
  await zip.finish()
  await handle.close()
  const archive = await openArchive(file)
  expect(archive.manifest.files).toHaveLength(3001)
  await archive.verify()
  await archive.close()
})

test('names of files are judged alike everywhere', () => {
  for (const name of ['parley.db', 'config.json', 'uploads/1/ab/c/d.txt', 'emoji/x.png', 'uploads/…']) {
    expect(isArchivable(name), `${name}`).toBe(true)
  }
  for (const name of [
    '',
    'uploads',
    'emoji/',
    'manifest.json',
    'uploads/a/../b',
    'parley.lock',
    'x/parley.db',
  ]) {
    expect(isArchivable(name), `${name}`).toBe(false)
  }
})

/** Refused only when its contents are looked at. */
async function refusalOfUnpacking(file: string): Promise<string> {
  const target = join(place, 'target')
  await put(target, 'parley.db', 'the old database')
  const error: unknown = await stageRestore(file, target, { now }).catch((reason: unknown) => reason)
  expect(await readdir(target)).toContain('parley.db')
  expect(error).toBeInstanceOf(UnusableBackupError)
  return (error as Error).message
}

const manifestOf = (files: Manifest['files'], more: Partial<Manifest> = {}): Manifest =>
  Manifest.parse({
    format: 1,
    program: 'parley',
    version: '1.0.0',
    schema_version: 1,
    created_at: now,
    files,
    missing: [],
    ...more,
  })

/** An archive whose manifest fits its files, unless told otherwise. */
function zipOf(
  files: Record<string, string>,
  facts: Partial<Manifest> = {},
  { leaveOut, more = {} }: { leaveOut?: string; more?: Record<string, string> } = {},
): Buffer {
  const listed = Object.entries(files).map(([name, data]) => ({
    name,
    size: Buffer.byteLength(data),
    sha256: createHash('sha256').update(data).digest('hex'),
  }))
  const entries = [...Object.entries(files), ...Object.entries(more)].filter(([name]) => name !== leaveOut)
  return makeZip([
    ...entries.map(([name, data]) => ({ name, data })),
    { name: 'manifest.json', data: JSON.stringify(manifestOf(listed, facts)) },
  ])
}

interface ZipPart {
  name: string
  data: string | Buffer
  deflate?: boolean
  /** A size that is not the true one. */
  declared?: number
}

/** A zip archive as other programs make it. */
function makeZip(parts: ZipPart[]): Buffer {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, deflate = false, declared } of parts) {
    const bytes = Buffer.from(data)
    const packed = deflate ? deflateRawSync(bytes) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(declared ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, tail, Buffer.from(name)]))
    body.push(local)
    offset += local.length
  }
  const records = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(records.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...body, records, end])
}
