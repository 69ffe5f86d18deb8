import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readWasm } from './bridge.ts'
import {
  ConstraintError,
  DamagedDatabaseError,
  type Database,
  type OpenOptions,
  openDatabase,
  StorageUnavailableError,
} from './database.ts'
import { type FileCalls, nodeFiles } from './file-calls.ts'

let folder: string
let file: string
const opened: Database[] = []

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-db-'))
  file = path.join(folder, 'test.db')
})

afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  fs.rmSync(folder, { recursive: true })
})

async function open(options?: OpenOptions): Promise<Database> {
  const db = await openDatabase(file, options)
  opened.push(db)
  return db
}

async function openNotes(options?: OpenOptions): Promise<Database> {
  const db = await open(options)
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT UNIQUE, extra BLOB)')
  return db
}

const addNote = (db: Database, body: string) => db.run('INSERT INTO notes (body) VALUES (?)', [body])
const bodies = (db: Database) =>
  db.all<{ body: string }>('SELECT body FROM notes ORDER BY id').map((row) => row.body)

/** A disk whose syncs end when the test says so. */
function slowSyncs() {
  const pending: { resolve(): void; reject(error: Error): void }[] = []
  const fdatasync = () => new Promise<void>((resolve, reject) => pending.push({ resolve, reject }))
  return { files: { ...nodeFiles, fdatasync }, pending }
}

const diskError = (code: string) => Object.assign(new Error(`${code}: as the test wants`), { code })
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('statements', () => {
  test('rows are added, read, changed and removed', async () => {
    const db = await openNotes()
    expect(addNote(db, 'one')).toEqual({ changes: 1, lastId: 1 })
    expect(addNote(db, 'two')).toEqual({ changes: 1, lastId: 2 })
    expect(db.all('SELECT id, body FROM notes ORDER BY id')).toEqual([
      { id: 1, body: 'one' },
      { id: 2, body: 'two' },
    ])
    expect(db.first('SELECT body FROM notes WHERE id = ?', [2])).toEqual({ body: 'two' })
    expect(db.first('SELECT body FROM notes WHERE id = ?', [3])).toBeUndefined()
    expect(db.run("UPDATE notes SET body = body || '!'").changes).toBe(2)
    expect(db.run('DELETE FROM notes WHERE id = 1').changes).toBe(1)
    expect(bodies(db)).toEqual(['two!'])
  })

  test.each<[string, number | string | Uint8Array | null]>([
    ['text beyond the first plane', 'Grüße, 世界 👩‍👩‍👧'],
    ['empty text', ''],
    ['text with a zero character', 'a\0b'],
    ['null', null],
    ['a large integer', Number.MAX_SAFE_INTEGER],
    ['a negative integer', -(2 ** 40)],
    ['a fraction', 0.1],
    ['bytes', Uint8Array.from({ length: 3000 }, (_, i) => i % 256)],
  ])('%s comes back as it went in', async (_name, value) => {
    const db = await open()
    db.exec('CREATE TABLE t (value)')
    db.run('INSERT INTO t VALUES (?)', [value])
    expect(db.first('SELECT value FROM t')).toEqual({ value })
  })

  test('a large integer in an INTEGER column is one for SQLite as well', async () => {
    const db = await open()
    db.exec('CREATE TABLE t (at INTEGER)')
    db.run('INSERT INTO t VALUES (?)', [1_790_000_000_123])
    expect(db.first('SELECT typeof(at) AS type FROM t WHERE at = ?', [1_790_000_000_123])).toEqual({
      type: 'integer',
    })
  })

  test('a statement used before still fits after the schema has changed', async () => {
    const db = await openNotes()
    addNote(db, 'one')
    expect(db.first('SELECT * FROM notes')).toEqual({ id: 1, body: 'one', extra: null })
    db.exec('ALTER TABLE notes ADD COLUMN starred INTEGER NOT NULL DEFAULT 0')
    expect(db.first('SELECT * FROM notes')).toEqual({ id: 1, body: 'one', extra: null, starred: 0 })
  })

  test('parameters of one use are not seen by the next', async () => {
    const db = await open()
    expect(db.first('SELECT ? AS a', ['x'])).toEqual({ a: 'x' })
    expect(db.first('SELECT ? AS a')).toEqual({ a: null })
  })

  test('more different statements than are kept', async () => {
    const db = await open()
    for (let i = 0; i < 1500; i++) expect(db.first(`SELECT ${i} AS i`)).toEqual({ i })
    expect(db.first('SELECT 0 AS i')).toEqual({ i: 0 })
  })

  test('a mistake in SQL is told with the SQL', async () => {
    const db = await open()
    expect(() => db.all('SELECT missing')).toThrow('no such column: missing, in: SELECT missing')
    expect(() => db.run('SELECT ?', [Symbol('x') as never])).toThrow()
    expect(db.first('SELECT 1 AS one')).toEqual({ one: 1 })
  })
})

describe('transactions', () => {
  test('all or nothing', async () => {
    const db = await openNotes()
    db.transact(() => addNote(db, 'kept'))
    const before = db.sequence
    expect(() =>
      db.transact(() => {
        addNote(db, 'lost')
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(bodies(db)).toEqual(['kept'])
    expect(db.sequence).toBe(before)
    expect(db.inTransaction).toBe(false)
  })

  test('a function that is asynchronous is refused and taken back', async () => {
    const db = await openNotes()
    expect(() =>
      db.transact(async () => {
        addNote(db, 'early')
        await turn()
        throw new Error('later')
      }),
    ).toThrow(TypeError)
    expect(bodies(db)).toEqual([])
  })

  test('one inside another is an error', async () => {
    const db = await openNotes()
    expect(() => db.transact(() => db.transact(() => {}))).toThrow(TypeError)
    expect(db.inTransaction).toBe(false)
  })

  test('a constraint says no to the transaction, not to the next', async () => {
    const db = await openNotes()
    addNote(db, 'taken')
    expect(() =>
      db.transact(() => {
        addNote(db, 'with it')
        addNote(db, 'taken')
      }),
    ).toThrow(ConstraintError)
    db.transact(() => addNote(db, 'after'))
    expect(bodies(db)).toEqual(['taken', 'after'])
    expect(db.failure).toBeNull()
  })

  test('a reference left dangling is found at the commit', async () => {
    const db = await openNotes()
    db.exec(`CREATE TABLE stars (
      note_id INTEGER NOT NULL REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)`)
    expect(() => db.transact(() => db.run('INSERT INTO stars VALUES (7)'))).toThrow(ConstraintError)
    expect(db.all('SELECT * FROM stars')).toEqual([])
    expect(db.check(true)).toEqual([])
  })

  test('only what wrote something counts as a commit', async () => {
    const db = await openNotes()
    const before = db.sequence
    db.transact(() => bodies(db))
    expect(db.sequence).toBe(before)
    db.transact(() => addNote(db, 'one'))
    expect(db.sequence).toBe(before + 1)
    addNote(db, 'two')
    expect(db.sequence).toBe(before + 2)
  })

  test('one too large for the cache is taken back as well', async () => {
    const db = await openNotes({ cacheKib: 64 })
    const before = db.sequence
    expect(() =>
      db.transact(() => {
        for (let i = 0; i < 200; i++) addNote(db, `${i}${'x'.repeat(4000)}`)
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(bodies(db)).toEqual([])
    expect(db.sequence).toBe(before)
  })
})

describe('the file', () => {
  test('holds everything after a clean stop, and no log beside it', async () => {
    const db = await openNotes()
    addNote(db, 'one')
    await db.close()
    expect(fs.readdirSync(folder)).toEqual(['test.db'])
    expect(bodies(await open())).toEqual(['one'])
  })

  test('two databases are open at once, each with its own file', async () => {
    const db = await openNotes()
    const other = await openDatabase(path.join(folder, 'other.db'))
    opened.push(other)
    addNote(db, 'one')
    expect(() => bodies(other)).toThrow('no such table')
    await other.close()
    expect(bodies(db)).toEqual(['one'])
  })

  test('the log does not grow without end', async () => {
    const db = await openNotes()
    const page = 'x'.repeat(3000)
    for (let i = 0; i < 4000; i++) {
      db.transact(() => addNote(db, `${i}${page}`))
      if (i % 100 === 0) await db.durable()
    }
    await db.durable()
    expect(fs.statSync(`${file}-wal`).size).toBeLessThan(12 << 20)
  })

  const python = (code: string) => execFileSync('python3', ['-c', code, file], { encoding: 'utf8' }).trim()
  const hasPython = (() => {
    try {
      execFileSync('python3', ['-c', 'import sqlite3'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })()
  test.skipIf(!hasPython)('opens with native SQLite (skipped without python3 and its sqlite3)', async () => {
    const db = await openNotes()
    addNote(db, 'Grüße')
    await db.durable()
    const copy = `${file}-copy`
    fs.copyFileSync(file, copy)
    fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
    const read = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + '-copy')
print(db.execute('PRAGMA integrity_check').fetchone()[0], ascii(db.execute('SELECT body FROM notes').fetchall()))`
    expect(python(read)).toBe("ok [('Gr\\xfc\\xdfe',)]")
  })

  test('one that is not a database is refused and left as it was', async () => {
    fs.writeFileSync(file, 'This is not a database at all. '.repeat(200))
    const before = fs.readFileSync(file)
    await expect(openDatabase(file)).rejects.toThrow(DamagedDatabaseError)
    expect(fs.readFileSync(file).equals(before)).toBe(true)
    expect(fs.readdirSync(folder)).toEqual(['test.db'])
  })

  test('a damaged one is refused and left as it was', async () => {
    const db = await openNotes()
    db.transact(() => {
      for (let i = 0; i < 2000; i++) addNote(db, `note ${i}`)
    })
    await db.close()
    const bytes = fs.readFileSync(file)
    bytes.fill(0x5a, 8192, 16384)
    fs.writeFileSync(file, bytes)
    await expect(openDatabase(file)).rejects.toThrow(DamagedDatabaseError)
    expect(fs.readFileSync(file).equals(bytes)).toBe(true)
    expect(fs.readdirSync(folder)).toEqual(['test.db'])
  })

  test('abandoning leaves every byte, also of a log that a crash left', async () => {
    const db = await openNotes()
    addNote(db, 'in the log')
    await db.durable()
    const crashed = path.join(folder, 'crashed.db')
    fs.copyFileSync(file, crashed)
    fs.copyFileSync(`${file}-wal`, `${crashed}-wal`)
    const before = [fs.readFileSync(crashed), fs.readFileSync(`${crashed}-wal`)]
    const found = await openDatabase(crashed)
    expect(bodies(found)).toEqual(['in the log'])
    found.abandon()
    expect([fs.readFileSync(crashed), fs.readFileSync(`${crashed}-wal`)]).toEqual(before)
  })

  test('a folder that is not there is an error that says so', async () => {
    await expect(openDatabase(path.join(folder, 'nowhere', 'test.db'))).rejects.toThrow(/ENOENT/)
  })

  test('a new file and a removed one are made to last by syncing the folder', async () => {
    const syncFolder = vi.fn(nodeFiles.syncFolder)
    await openNotes({ files: { ...nodeFiles, syncFolder } })
    expect(syncFolder).toHaveBeenCalledWith(folder)
  })

  test('an unknown build of SQLite is refused', async () => {
    const wasm = path.join(folder, 'sql-wasm.wasm')
    fs.writeFileSync(wasm, 'something else')
    await expect(readWasm(wasm)).rejects.toThrow('is not the SQLite build of sql.js 1.16.0')
  })
})

describe('durability', () => {
  test('commits made together share one sync', async () => {
    let syncs = 0
    const fdatasync: FileCalls['fdatasync'] = (descriptor) => {
      syncs++
      return nodeFiles.fdatasync(descriptor)
    }
    const db = await openNotes({ files: { ...nodeFiles, fdatasync } })
    await db.durable()
    syncs = 0
    const waits = Array.from({ length: 100 }, (_, i) => {
      db.transact(() => addNote(db, `note ${i}`))
      return db.durable()
    })
    await Promise.all(waits)
    expect(syncs).toBe(1)
    expect(db.durableSequence).toBe(db.sequence)
    await db.durable()
    expect(syncs).toBe(1)
  })

  test('a commit made during a sync waits for the next one', async () => {
    const { files, pending } = slowSyncs()
    const db = await openNotes({ files })
    const heard: (number | string)[] = []
    db.onDurable((sequence) => heard.push(sequence))
    const first = db.durable().then(() => heard.push('first'))
    await turn()
    expect(pending).toHaveLength(1)
    addNote(db, 'during the sync')
    const second = db.durable().then(() => heard.push('second'))
    pending[0]?.resolve()
    await first
    await turn()
    expect(heard).toEqual([1, 'first'])
    expect(pending).toHaveLength(2)
    pending[1]?.resolve()
    await second
    expect(heard).toEqual([1, 'first', 2, 'second'])
  })

  test('after a failed sync nothing is called durable, written or tried again; reads go on', async () => {
    const { files, pending } = slowSyncs()
    const db = await openNotes({ files })
    const waits = [db.durable(), db.durable(1)]
    await turn()
    addNote(db, 'during the sync')
    waits.push(db.durable())
    pending[0]?.reject(diskError('EIO'))
    for (const wait of waits) await expect(wait).rejects.toThrow(StorageUnavailableError)
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    expect(db.failure?.message).toContain('EIO')
    expect(db.durableSequence).toBe(0)
    expect(() => db.transact(() => addNote(db, 'later'))).toThrow(StorageUnavailableError)
    expect(() => addNote(db, 'later')).toThrow(StorageUnavailableError)
    expect(bodies(db)).toEqual(['during the sync'])
    const log = fs.readFileSync(`${file}-wal`)
    await db.close()
    expect(pending).toHaveLength(1)
    expect(fs.readFileSync(`${file}-wal`).equals(log)).toBe(true)
  })

  test('a full disk refuses a transaction whole, and takes the next when there is room', async () => {
    let full = false
    const write: FileCalls['write'] = (descriptor, bytes, position) => {
      if (full) throw diskError('ENOSPC')
      return nodeFiles.write(descriptor, bytes, position)
    }
    const db = await openNotes({ files: { ...nodeFiles, write } })
    addNote(db, 'before')
    full = true
    expect(() =>
      db.transact(() => {
        addNote(db, 'lost')
        addNote(db, 'lost too')
      }),
    ).toThrow(StorageUnavailableError)
    expect(bodies(db)).toEqual(['before'])
    full = false
    db.transact(() => addNote(db, 'after'))
    await db.durable()
    expect(bodies(db)).toEqual(['before', 'after'])
    expect(db.check(true)).toEqual([])
  })

  test('a full disk in the middle of a transaction dooms it, whatever its function catches', async () => {
    let full = false
    const write: FileCalls['write'] = (descriptor, bytes, position) => {
      if (full) throw diskError('ENOSPC')
      return nodeFiles.write(descriptor, bytes, position)
    }
    const db = await openNotes({ files: { ...nodeFiles, write }, cacheKib: 64 })
    full = true
    expect(() =>
      db.transact(() => {
        try {
          for (let i = 0; i < 200; i++) addNote(db, `${i}${'x'.repeat(4000)}`)
        } catch {
          full = false
        }
        addNote(db, 'half')
      }),
    ).toThrow(StorageUnavailableError)
    expect(bodies(db)).toEqual([])
    db.transact(() => addNote(db, 'after'))
    expect(bodies(db)).toEqual(['after'])
  })

  test('a broken disk stops all writing at once', async () => {
    let broken = false
    const write: FileCalls['write'] = (descriptor, bytes, position) => {
      if (broken) throw diskError('EIO')
      return nodeFiles.write(descriptor, bytes, position)
    }
    const warn = vi.fn()
    const db = await openNotes({ files: { ...nodeFiles, write }, log: { warn } })
    broken = true
    expect(() => db.transact(() => addNote(db, 'lost'))).toThrow(StorageUnavailableError)
    broken = false
    expect(db.failure?.message).toContain('EIO')
    expect(() => db.transact(() => addNote(db, 'later'))).toThrow(StorageUnavailableError)
    expect(bodies(db)).toEqual([])
    expect(warn).toHaveBeenCalledOnce()
  })

  test('a sync that fails in a checkpoint is a failure too', async () => {
    let broken = false
    const fsync: FileCalls['fsync'] = (descriptor) => {
      if (broken) throw diskError('EIO')
      nodeFiles.fsync(descriptor)
    }
    const db = await openNotes({ files: { ...nodeFiles, fsync } })
    broken = true
    expect(() => db.checkpoint()).toThrow(StorageUnavailableError)
    expect(db.failure).not.toBeNull()
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
  })

  test('reads and writes that the system cuts short are finished', async () => {
    const read: FileCalls['read'] = (descriptor, into, position) =>
      nodeFiles.read(descriptor, into.subarray(0, Math.ceil(into.length / 2)), position)
    const write: FileCalls['write'] = (descriptor, bytes, position) =>
      nodeFiles.write(descriptor, bytes.subarray(0, Math.ceil(bytes.length / 2)), position)
    const files = { ...nodeFiles, read, write }
    const db = await openNotes({ files })
    addNote(db, 'one')
    await db.close()
    const again = await open({ files })
    expect(bodies(again)).toEqual(['one'])
    expect(again.check(true)).toEqual([])
  })

  test('a log that another program removed is begun anew before anything more is durable', async () => {
    const warn = vi.fn()
    const db = await openNotes({ log: { warn } })
    addNote(db, 'one')
    await db.durable()
    fs.unlinkSync(`${file}-wal`)
    addNote(db, 'two')
    await db.durable()
    addNote(db, 'three')
    await db.durable()
    expect(warn).toHaveBeenCalledOnce()
    const copy = path.join(folder, 'copy.db')
    fs.copyFileSync(file, copy)
    fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
    const found = await openDatabase(copy)
    opened.push(found)
    expect(bodies(found)).toEqual(['one', 'two', 'three'])
    expect(found.check(true)).toEqual([])
  })

  test('what a killed process left is synced before it is read', async () => {
    const db = await openNotes()
    addNote(db, 'one')
    const copy = path.join(folder, 'copy.db')
    fs.copyFileSync(file, copy)
    fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
    const fdatasync = vi.fn(nodeFiles.fdatasync)
    const found = await openDatabase(copy, { files: { ...nodeFiles, fdatasync } })
    opened.push(found)
    expect(fdatasync).toHaveBeenCalledOnce()
    expect(bodies(found)).toEqual(['one'])
  })

  test('closing waits for commits, also for those made meanwhile', async () => {
    const db = await openNotes()
    const first = db.durable().then(() => {
      addNote(db, 'meanwhile')
      return db.durable()
    })
    await db.close()
    await first
    expect(bodies(await open())).toEqual(['meanwhile'])
    expect(() => db.transact(() => {})).toThrow(StorageUnavailableError)
  })

  test('what was acknowledged is there after kill -9', async () => {
    const writer = fileURLToPath(new URL('./test-writer.ts', import.meta.url))
    let acknowledged = 0
    for (let round = 0; round < 10; round++) {
      acknowledged = await new Promise<number>((resolve, reject) => {
        const child = spawn(process.execPath, ['--import', 'tsx', writer, file])
        let output = ''
        child.stderr.on('data', (chunk) => reject(new Error(String(chunk))))
        child.stdout.on('data', (chunk) => {
          if (output === '') setTimeout(() => child.kill('SIGKILL'), 30 + round * 7)
          output += chunk
        })
        // The last line may have been cut off; the one before it was written whole.
        child.on('close', () => resolve(Number(output.split('\n').at(-2))))
      })
      const db = await openDatabase(file)
      const found = db.first<{ n: number; last: number }>('SELECT count(*) AS n, max(n) AS last FROM acks')
      expect(found?.last).toBeGreaterThanOrEqual(acknowledged)
      expect(found?.n).toBe(found?.last)
      expect(db.check(true)).toEqual([])
      await db.close()
    }
    expect(acknowledged).toBeGreaterThan(100)
  }, 60_000)
})
