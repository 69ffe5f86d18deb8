import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DamagedDatabaseError, openDatabase } from './database.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-clean-'))
  file = path.join(folder, 'test.db')
  const db = await open()
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT UNIQUE)')
  db.transact(() => {
    for (let i = 0; i < 5000; i++) db.run('INSERT INTO notes (body) VALUES (?)', [`note ${i}`])
  })
  await db.close()
})

afterEach(() => fs.rmSync(folder, { recursive: true }))

const open = () => openDatabase(file, { trustFrom: 0 })

/** Damages a page that an ordinary start does not read, without anybody noticing by size or time. */
function damageSilently(): void {
  const { atime, mtime } = fs.statSync(file)
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, 40_960)
  fs.closeSync(handle)
  fs.utimesSync(file, atime, mtime)
  // What `utimes` cannot keep are the nanoseconds: the note is made to fit.
  const { ino, size, mtimeNs } = fs.statSync(file, { bigint: true })
  fs.writeFileSync(`${file}-clean`, `${ino} ${size} ${mtimeNs}\n`)
}

const isLookedAt = async () => {
  const db = await open().catch((error: unknown) => error)
  if (db instanceof DamagedDatabaseError) return true
  ;(db as Awaited<ReturnType<typeof open>>).abandon()
  return false
}

/** Leaves the files as a killed program does: what it wrote is there, and nothing was tidied up. */
async function crash(rows: number): Promise<void> {
  const db = await open()
  db.transact(() => {
    for (let i = 0; i < rows; i++) db.run('INSERT INTO notes (body) VALUES (?)', [`late ${i}`])
  })
  await db.durable()
  if (rows > 100) db.checkpoint()
  db.run('INSERT INTO notes (body) VALUES (?)', ['last'])
  await db.durable()
  const kept = ['', '-wal', '-clean'].map((suffix) => [suffix, fs.readFileSync(file + suffix)] as const)
  const { mtimeNs } = fs.statSync(file, { bigint: true })
  db.abandon()
  for (const [suffix, bytes] of kept) if (suffix !== '') fs.writeFileSync(file + suffix, bytes)
  expect(fs.statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs)
}

const damageAndKeepNote = () => {
  const inUse = fs.readFileSync(`${file}-clean`, 'utf8').split('\n').slice(1).join('\n')
  damageSilently()
  fs.appendFileSync(`${file}-clean`, inUse)
}

test.each([10, 2000])('after a crash of the program the file is as it was left (%i rows)', async (rows) => {
  await crash(rows)
  damageAndKeepNote()
  expect(await isLookedAt()).toBe(false)
})

test('after a crash of the machine it is looked at', async () => {
  await crash(10)
  damageAndKeepNote()
  fs.writeFileSync(
    `${file}-clean`,
    fs.readFileSync(`${file}-clean`, 'utf8').replace(/boot .*/, 'boot another'),
  )
  expect(await isLookedAt()).toBe(true)
})

test('after a crash of the program it is looked at when it was touched since', async () => {
  await crash(10)
  damageAndKeepNote()
  fs.utimesSync(file, new Date(), new Date())
  expect(await isLookedAt()).toBe(true)
})

test('a large file that was closed cleanly is opened without a long look', async () => {
  expect(fs.readdirSync(folder)).toEqual(['test.db', 'test.db-clean'])
  damageSilently()
  expect(await isLookedAt()).toBe(false)
})

test.each<[string, () => void]>([
  ['a log was left', () => fs.writeFileSync(`${file}-wal`, '')],
  ['the note is missing', () => fs.unlinkSync(`${file}-clean`)],
  ['the note is cut off', () => fs.truncateSync(`${file}-clean`, 5)],
  ['it was touched since', () => fs.utimesSync(file, new Date(), new Date())],
  [
    'it is a copy',
    () => {
      fs.copyFileSync(file, `${file}-copy`)
      fs.renameSync(`${file}-copy`, file)
    },
  ],
])('it is looked at when %s', async (_what, change) => {
  damageSilently()
  change()
  expect(await isLookedAt()).toBe(true)
})
