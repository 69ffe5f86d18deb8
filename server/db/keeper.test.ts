import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { boot } from '../test/boot.ts'
import { type Database, type OpenOptions, openDatabase, StorageUnavailableError } from './database.ts'
import { type FileCalls, nodeFiles } from './file-calls.ts'
import { StorageKeeper, type StorageState } from './keeper.ts'

let folder: string
let file: string
let db: Database
let keeper: StorageKeeper

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-keeper-'))
  file = path.join(folder, 'test.db')
})

afterEach(async () => {
  await keeper?.close()
  await db?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function keep(options: OpenOptions = {}): Promise<void> {
  db = await openDatabase(file, options)
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)')
  await db.durable()
  keeper = new StorageKeeper(db, { now: () => 1_800_000_000_500, delays: [20], inspectEvery: 20 })
}

const addNote = (body: string) => db.transact(() => db.run('INSERT INTO notes (body) VALUES (?)', [body]))
const bodies = (database = db) =>
  database.all<{ body: string }>('SELECT body FROM notes ORDER BY id').map((row) => row.body)
const save = async (body: string) => {
  addNote(body)
  await db.durable()
}
const resumed = () => vi.waitFor(() => expect(keeper.state).toEqual({ ok: true }), { timeout: 5000 })

/** A disk that works until `trouble` names the calls that fail, and how. */
function faulty() {
  const trouble: { calls: (keyof FileCalls)[]; code: string } = { calls: [], code: 'EIO' }
  const entries = Object.entries(nodeFiles).map(([name, call]) => [
    name,
    (...args: never[]) => {
      if (!trouble.calls.includes(name as keyof FileCalls))
        return (call as (...args: never[]) => unknown)(...args)
      const error = Object.assign(new Error(`${trouble.code}: as the test wants`), { code: trouble.code })
      if (name === 'fdatasync') return Promise.reject(error)
      throw error
    },
  ])
  return { trouble, files: Object.fromEntries(entries) as FileCalls }
}

describe('after a failed sync', () => {
  test('what was refused is taken back at once, and the rest can be read until the disk works again', async () => {
    const { trouble, files } = faulty()
    await keep({ files })
    const lost = vi.fn()
    db.onLoss(lost)
    await save('kept')
    const before = db.sequence
    trouble.calls = ['fdatasync']
    addNote('refused')
    const refused = db.sequence
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    await vi.waitFor(() => expect(bodies()).toEqual(['kept']))
    expect(() => addNote('refused too')).toThrow(StorageUnavailableError)
    expect(lost).toHaveBeenCalledExactlyOnceWith(before)
    expect(keeper.state).toEqual({
      ok: false,
      code: 'io_error',
      cause: 'The disk does not work: EIO: as the test wants',
      since: 1_800_000_000,
    })
    // A read is answered: everything it can see is on disk.
    await db.durable()
    await expect(db.durable(refused)).rejects.toThrow(StorageUnavailableError)

    trouble.calls = []
    await resumed()
    await save('after')
    expect(db.sequence).toBeGreaterThan(refused)
    expect(bodies()).toEqual(['kept', 'after'])
    await expect(db.durable(refused)).rejects.toThrow(StorageUnavailableError)
    expect(db.losses).toBe(1)
    expect(db.check(true)).toEqual([])
  })

  test('a disk that cannot be read either answers no read', async () => {
    const { trouble, files } = faulty()
    await keep({ files })
    await save('kept')
    addNote('refused')
    trouble.calls = ['fdatasync', 'read', 'write', 'fsync', 'stat']
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    await new Promise((resolve) => setTimeout(resolve, 60))
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    trouble.calls = []
    await resumed()
    expect(bodies()).toEqual(['kept'])
  })
})

test('a full disk shows until there is room again, though nothing is written meanwhile', async () => {
  const { trouble, files } = faulty()
  await keep({ files })
  Object.assign(trouble, { calls: ['write'], code: 'ENOSPC' })
  expect(() => addNote('refused')).toThrow(StorageUnavailableError)
  expect(keeper.state).toMatchObject({ ok: false, code: 'disk_full', cause: 'The disk is full' })
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(keeper.state).toMatchObject({ code: 'disk_full' })
  expect(db.failure).toBeNull()
  trouble.calls = []
  await resumed()
  await save('after')
  expect(bodies()).toEqual(['after'])
  expect(fs.readdirSync(folder).filter((name) => name.includes('probe'))).toEqual([])
})

test.each([
  ['EROFS', { code: 'read_only', cause: 'The data folder is read-only' }],
  ['EDQUOT', { code: 'disk_full' }],
])('%s is told to people as what it is', async (code, state) => {
  const { trouble, files } = faulty()
  await keep({ files })
  Object.assign(trouble, { calls: ['write', 'fdatasync'], code })
  expect(() => addNote('refused')).toThrow(StorageUnavailableError)
  expect(keeper.state).toMatchObject({ ok: false, ...state })
  trouble.calls = []
  await resumed()
})

describe.skipIf(process.platform === 'win32')('files that are touched while they are in use', () => {
  test('a removed database is written anew, with everything acknowledged', async () => {
    await keep()
    await save('one')
    db.checkpoint()
    await save('two')
    fs.unlinkSync(file)
    addNote('refused')
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    expect(keeper.state).toMatchObject({ code: 'file_removed' })
    await resumed()
    await save('three')
    expect(bodies()).toEqual(['one', 'two', 'three'])
    await keeper.close()
    await db.close()
    expect(fs.readdirSync(folder)).toEqual(['test.db'])
    db = await openDatabase(file)
    expect(bodies()).toEqual(['one', 'two', 'three'])
  })

  test('its removal, with its log, is noticed while nobody writes', async () => {
    await keep()
    await save('one')
    const states: StorageState[] = []
    keeper.onChange((state) => states.push(state))
    for (const name of fs.readdirSync(folder)) fs.unlinkSync(path.join(folder, name))
    await vi.waitFor(() => expect(states).toMatchObject([{ code: 'file_removed' }, { ok: true }]))
    await save('two')
    const copy = path.join(folder, 'copy.db')
    fs.copyFileSync(file, copy)
    fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
    const found = await openDatabase(copy)
    expect(bodies(found)).toEqual(['one', 'two'])
    await found.close()
  })

  test('a file put in its place is left alone; what was saved is kept beside it', async () => {
    await keep()
    await save('ours')
    const other = path.join(folder, 'other.db')
    fs.writeFileSync(other, 'theirs')
    fs.renameSync(other, file)
    addNote('refused')
    await expect(db.durable()).rejects.toThrow(StorageUnavailableError)
    await vi.waitFor(() =>
      expect(keeper.state).toMatchObject({ cause: expect.stringContaining('.replaced') }),
    )
    expect(keeper.state).toMatchObject({ code: 'file_replaced' })
    expect(fs.readFileSync(file, 'utf8')).toBe('theirs')
    expect(bodies()).toEqual(['ours'])
    const kept = await openDatabase(`${file}.replaced`)
    expect(bodies(kept)).toEqual(['ours'])
    await kept.close()
    // Whoever takes the other file away again gets the service back.
    fs.unlinkSync(file)
    await resumed()
    await save('ours again')
    expect(fs.readdirSync(folder).filter((name) => name.includes('replaced'))).toEqual(['test.db.replaced'])
  })

  test('a folder that was moved away is waited for', async () => {
    await keep()
    await save('one')
    fs.renameSync(folder, `${folder}-moved`)
    await vi.waitFor(() => expect(keeper.state).toMatchObject({ code: 'folder_removed' }))
    expect(bodies()).toEqual(['one'])
    fs.renameSync(`${folder}-moved`, folder)
    await resumed()
    await save('two')
    expect(bodies()).toEqual(['one', 'two'])
  })
})

test('damage that shows while the server runs stops all writing', async () => {
  await keep({ cacheKib: 1 })
  db.transact(() => {
    for (let i = 0; i < 3000; i++) db.run('INSERT INTO notes (body) VALUES (?)', [`note ${i}`.repeat(20)])
  })
  db.checkpoint()
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, Buffer.alloc(200_000, 0x5a), 0, 200_000, 8192)
  fs.closeSync(handle)
  expect(() => bodies()).toThrow(StorageUnavailableError)
  expect(() => addNote('more')).toThrow(StorageUnavailableError)
  expect(keeper.state).toMatchObject({ ok: false, code: 'damaged' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(keeper.state).toMatchObject({ ok: false, code: 'damaged' })
})

describe('through the server', () => {
  test.skipIf(process.platform === 'win32')(
    'a removed database: writes are refused, reads go on, and service resumes',
    async () => {
      const server = await boot()
      const ann = await server.listenAs('ann', 'member', { event_types: ['message'] })
      await ann.join('general')
      await ann.say('general', 'topic', 'one')
      const { folder: data, storage } = server.running.server
      fs.unlinkSync(data.database)
      await ann.refused(
        'POST',
        '/messages',
        { type: 'channel', to: 'general', topic: 'topic', content: 'refused' },
        'STORAGE_UNAVAILABLE',
        503,
      )
      expect(storage.state).toMatchObject({ ok: false, code: 'file_removed' })
      const read = () => ann.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 10 })
      const contents = async () => (await read())['messages'].map(({ content }: any) => content)
      expect(await contents()).toEqual(['<p>one</p>'])
      await vi.waitFor(() => expect(storage.state).toEqual({ ok: true }), { timeout: 10_000, interval: 50 })
      await ann.say('general', 'topic', 'two')
      expect(await contents()).toEqual(['<p>one</p>', '<p>two</p>'])
      // The queue has gone through it all, and heard of nothing that did not happen.
      const events = (await ann.events()).filter(({ type }) => type === 'message')
      expect(events.map((event) => event['message'].content)).toEqual(['one', 'two'])
    },
  )
})
