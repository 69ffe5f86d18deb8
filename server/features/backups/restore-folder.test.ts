import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openDataFolder } from '../../db/data-folder.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations/index.ts'
import { finishRestore, stageRestore } from './restore-folder.ts'
import { writeArchive } from './write-archive.ts'

const now = 1_795_000_000
let place: string
let dataDir: string

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'parley-restore-'))
  dataDir = join(place, 'data')
  return () => rm(place, { recursive: true })
})

/** Fills a folder with a state that can be told from others. */
async function fill(dir: string, word: string): Promise<void> {
  await mkdir(join(dir, 'uploads', '1'), { recursive: true })
  const database = await openDatabase(join(dir, 'parley.db'))
  await migrate(database, migrations, { file: database.file, version: '1.0.0' })
  database.run('INSERT INTO server_settings (key, value) VALUES (?, ?)', ['word', word])
  database.run('INSERT INTO server_settings (key, value) VALUES (?, ?)', ['admin_token', `token of ${word}`])
  await database.close()
  await writeFile(join(dir, 'uploads', '1', `${word}.txt`), word)
  await writeFile(join(dir, 'config.json'), JSON.stringify({ word }))
}

/** What a folder holds, or null when it is no whole state. */
async function stateOf(dir: string): Promise<{ word: string; token: string }> {
  const database = await openDatabase(join(dir, 'parley.db'))
  const value = (key: string) =>
    database.first<{ value: string }>('SELECT value FROM server_settings WHERE key = ?', [key])?.value ?? ''
  const state = { word: value('word'), token: value('admin_token') }
  expect(database.check(true)).toEqual([])
  await database.close()
  expect(await readdir(join(dir, 'uploads', '1'))).toEqual([`${state.word}.txt`])
  expect(JSON.parse(await readFile(join(dir, 'config.json'), 'utf8'))).toEqual({ word: state.word })
  return state
}

async function makeBackup(word: string): Promise<string> {
  await fill(join(place, word), word)
  const folder = await openDataFolder(join(place, word))
  const database = await openDatabase(folder.database)
  const file = join(place, `${word}.parley-backup`)
  await writeArchive(file, { database, folder, now })
  await database.close()
  folder.release()
  return file
}

/** Stops for good at a step: what comes after it never happens, as when the process dies there. */
function crashAt(count: number) {
  let steps = 0
  let crash = (): void => {}
  const crashed = new Promise<'crashed'>((resolve) => {
    crash = () => resolve('crashed')
  })
  const onStep = async (): Promise<void> => {
    if (steps++ < count) return
    crash()
    await new Promise(() => {})
  }
  return { onStep, run: <T>(work: Promise<T>): Promise<T | 'crashed'> => Promise.race([work, crashed]) }
}

test('what was there before is kept', async () => {
  const backup = await makeBackup('new')
  await fill(dataDir, 'old')
  await mkdir(join(dataDir, 'backups'))
  await writeFile(join(dataDir, 'backups', 'mine'), 'x')
  await stageRestore(backup, dataDir, { now })
  const outcome = await finishRestore(dataDir)
  expect(outcome).toMatchObject({ ok: true, source: 'new.parley-backup', created_at: now })
  expect(outcome?.aside).toMatch(/^before-restore-\d{4}-\d\d-\d\d-\d{6}$/)
  const aside = outcome?.aside ?? ''
  expect((await readdir(dataDir)).toSorted()).toEqual([
    'backups',
    aside,
    'config.json',
    'parley.db',
    'uploads',
  ])
  expect(await stateOf(dataDir)).toEqual({ word: 'new', token: 'token of new' })
  expect(await stateOf(join(dataDir, aside))).toEqual({ word: 'old', token: 'token of old' })
  // Again, in the same second.
  await stageRestore(backup, dataDir, { now, adminToken: 'kept' })
  expect((await finishRestore(dataDir))?.aside).toBe(`${aside}-2`)
  expect(await stateOf(dataDir)).toEqual({ word: 'new', token: 'kept' })
})

test('a process that dies at any step leaves the old state or the new one', async () => {
  const backup = await makeBackup('new')
  const seen: string[] = []
  for (let count = 0; ; count++) {
    await rm(dataDir, { recursive: true, force: true })
    await fill(dataDir, 'old')
    // A log that was left belongs to the old database, and must not be mistaken for the new one's.
    await writeFile(join(dataDir, 'parley.db-journal'), '')
    const { onStep, run } = crashAt(count)
    const restore = async () => {
      await stageRestore(backup, dataDir, { now, onStep })
      await finishRestore(dataDir, onStep)
    }
    const ended = await run(restore())
    await finishRestore(dataDir)
    const { word } = await stateOf(dataDir)
    const left = (await readdir(dataDir)).filter((name) => /restore/.test(name))
    if (word === 'old') expect(left).toEqual([])
    else {
      expect(left).toEqual([expect.stringMatching(/^before-restore-/)])
      await rm(join(dataDir, left[0] ?? '', 'parley.db-journal'))
      expect(await stateOf(join(dataDir, left[0] ?? ''))).toMatchObject({ word: 'old' })
    }
    seen.push(word)
    if (ended !== 'crashed') break
  }
  expect(seen.length).toBeGreaterThan(10)
  expect(seen.slice(0, 2)).toEqual(['old', 'old'])
  expect(seen.slice(2)).not.toContain('old')
}, 60_000)

test('also one that dies again and again while it finishes', async () => {
  const backup = await makeBackup('new')
  await fill(dataDir, 'old')
  await stageRestore(backup, dataDir, { now })
  let tries = 0
  for (; tries < 50; tries++) {
    const { onStep, run } = crashAt(1)
    if ((await run(finishRestore(dataDir, onStep))) !== 'crashed') break
  }
  expect(tries).toBeGreaterThan(5)
  expect(await stateOf(dataDir)).toMatchObject({ word: 'new' })
})

test('an archive with a database that is not sound is taken back at the last moment', async () => {
  const backup = await makeBackup('new')
  await fill(dataDir, 'old')
  await stageRestore(backup, dataDir, { now })
  const [staging] = (await readdir(dataDir)).filter((name) => name.startsWith('.restore-'))
  const file = join(dataDir, staging ?? '', 'new', 'parley.db')
  const bytes = await readFile(file)
  bytes.fill(0xff, 4096, 20_000)
  await writeFile(file, bytes)
  const outcome = await finishRestore(dataDir)
  expect(outcome).toMatchObject({ ok: false, aside: null })
  expect(outcome?.error).toMatch(/cannot be opened|damaged/)
  expect(await stateOf(dataDir)).toMatchObject({ word: 'old' })
  expect((await readdir(dataDir)).toSorted()).toEqual(['config.json', 'parley.db', 'uploads'])
})

test('a copy made before a migration brings the database back and keeps the files', async () => {
  await fill(join(place, 'then'), 'old')
  await fill(dataDir, 'old')
  const database = await openDatabase(join(dataDir, 'parley.db'))
  database.run("UPDATE server_settings SET value = 'since' WHERE key = 'admin_token'")
  await database.close()
  const copy = join(place, 'before-migration-1-to-2.db')
  await writeFile(copy, await readFile(join(place, 'then', 'parley.db')))
  await stageRestore(copy, dataDir, { now })
  const outcome = await finishRestore(dataDir)
  expect(outcome).toMatchObject({ ok: true, created_at: null })
  expect(await stateOf(dataDir)).toEqual({ word: 'old', token: 'token of old' })
  const aside = join(dataDir, outcome?.aside ?? '')
  expect(await stateOf(aside)).toEqual({ word: 'old', token: 'since' })
  // Each state has its files, whatever becomes of the other's.
  await rm(join(dataDir, 'uploads'), { recursive: true })
  expect(await readFile(join(aside, 'uploads', '1', 'old.txt'), 'utf8')).toBe('old')
})

test("another program's database is refused", async () => {
  const copy = join(place, 'before-migration-1-to-2.db')
  const other = await openDatabase(copy)
  other.exec('CREATE TABLE recipes (id INTEGER PRIMARY KEY)')
  await other.close()
  await fill(dataDir, 'old')
  await stageRestore(copy, dataDir, { now })
  expect(await finishRestore(dataDir)).toMatchObject({ ok: false, error: expect.stringContaining('not') })
  expect(await stateOf(dataDir)).toMatchObject({ word: 'old' })
})
