import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, type OpenOptions } from './database.ts'
import { nodeFiles } from './file-calls.ts'

let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-snapshot-'))
  return () => fs.rmSync(folder, { recursive: true })
})

async function openNotes(options?: OpenOptions): Promise<Database> {
  const db = await openDatabase(path.join(folder, 'test.db'), options)
  onTestFinished(() => db.close())
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)')
  for (let i = 0; i < 500; i++) db.run('INSERT INTO notes (body) VALUES (?)', [`old ${i} `.padEnd(900, '.')])
  return db
}

/** What a copy holds, after it was found sound. */
async function notesOf(copy: Buffer): Promise<string[]> {
  const file = path.join(folder, 'copy.db')
  fs.writeFileSync(file, copy)
  const db = await openDatabase(file)
  const bodies = db
    .all<{ body: string }>('SELECT body FROM notes ORDER BY id')
    .map(({ body }) => body.replace(/[ .]+$/, ''))
  expect(db.check(true)).toEqual([])
  await db.close()
  fs.rmSync(file)
  return bodies
}

const oldNotes = Array.from({ length: 500 }, (_, i) => `old ${i}`)

test('what is changed, added, removed and copied into the file meanwhile does not show', async () => {
  const db = await openNotes()
  const parts: Buffer[] = []
  let round = 0
  for await (const chunk of db.snapshot().chunks(16 * 4096)) {
    parts.push(Buffer.from(chunk))
    db.transact(() => {
      db.run('UPDATE notes SET body = ?', [`new ${round++} `.padEnd(900, '!')])
      db.run('DELETE FROM notes WHERE id % 7 = 0')
      db.run('INSERT INTO notes (body) VALUES (?)', ['added'.padEnd(5000, '+')])
    })
    db.checkpoint()
  }
  expect(round).toBeGreaterThan(3)
  expect(await notesOf(Buffer.concat(parts))).toEqual(oldNotes)
  expect(db.check(true)).toEqual([])
})

test('a file that becomes shorter', async () => {
  const db = await openNotes()
  const parts: Buffer[] = []
  for await (const chunk of db.snapshot().chunks(16 * 4096)) {
    parts.push(Buffer.from(chunk))
    if (parts.length > 1) continue
    db.exec('DELETE FROM notes; VACUUM')
    db.checkpoint()
  }
  expect(db.size()).toBeLessThan(50_000)
  expect(await notesOf(Buffer.concat(parts))).toEqual(oldNotes)
})

test('one at a time; the next is of its own moment', async () => {
  const db = await openNotes()
  const first = db.snapshot()
  expect(() => db.snapshot()).toThrow('already')
  first.end()
  db.run("UPDATE notes SET body = 'new'")
  const parts: Buffer[] = []
  for await (const chunk of db.snapshot().chunks()) parts.push(Buffer.from(chunk))
  expect(await notesOf(Buffer.concat(parts))).toEqual(oldNotes.map(() => 'new'))
})

test('a disk that fails, and a database that is closed, end it', async () => {
  const read = async (db: Database, meanwhile: () => unknown) => {
    for await (const chunk of db.snapshot().chunks(4096)) if (chunk.length > 0) await meanwhile()
  }
  let broken = false
  const fdatasync = (descriptor: number) =>
    broken ? Promise.reject(new Error('broken')) : nodeFiles.fdatasync(descriptor)
  const db = await openNotes({ files: { ...nodeFiles, fdatasync } })
  const failing = read(db, async () => {
    broken = true
    db.run("INSERT INTO notes (body) VALUES ('x')")
    await db.durable().catch(() => {})
  })
  await expect(failing).rejects.toThrow()
  expect(() => db.snapshot()).toThrow('cannot be written')
  await db.close()
  fs.rmSync(path.join(folder, 'test.db'))
  fs.rmSync(path.join(folder, 'test.db-wal'), { force: true })
  const other = await openNotes()
  await expect(read(other, () => other.close())).rejects.toThrow('closed')
})
