import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, loadConfig } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { createServer, type ServerOptions } from '../../server.ts'
import { type Body, boot, TestServer } from '../../test/boot.ts'
import { verifyBackup } from './restore-folder.ts'

/** A server on a folder that outlives it. */
async function bootOn(config: Partial<Config> = {}, options: ServerOptions = {}) {
  const dataDir = config.dataDir ?? (await newFolder())
  return boot({ ...config, dataDir }, options)
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-backups-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const folderOf = (server: TestServer): string => server.running.server.folder.path
const backupsOf = (server: TestServer): string => server.running.server.folder.backups

/** Makes a backup through the admin interface. @returns its name */
async function backUp(server: TestServer): Promise<string> {
  const { name, job_id } = await server.admin('POST', '/backups')
  await ended(server, job_id)
  return name
}

async function ended(server: TestServer, id: string): Promise<void> {
  for (;;) {
    const job = await server.admin('GET', `/backup_jobs/${id}`)
    expect(job['state'], `${JSON.stringify(job)}`).not.toBe('failed')
    if (job['state'] === 'done') return
    await sleep(10)
  }
}

/** Restores a running server as `parley serve` does. */
async function restore(server: TestServer, name: string): Promise<TestServer> {
  const reply = await server.admin('POST', `/backups/${encodeURIComponent(name)}/restore`)
  expect(reply).toMatchObject({ result: 'success' })
  await server.running.restartWanted
  await server.close()
  const running = await createServer(
    loadConfig({ dataDir: folderOf(server), port: 0, dev: true, log: 'silent' }, {}),
  )
  onTestFinished(() => running.close())
  return new TestServer(running)
}

const contentsOf = async (server: TestServer): Promise<string[]> =>
  server.running.server.database
    .all<{ content: string }>('SELECT content FROM messages ORDER BY id')
    .map(({ content }) => content)

async function put(server: TestServer, name: string, content: string): Promise<void> {
  const file = join(folderOf(server), name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

/** An attachment's row, whose file may be there or not. */
function addAttachment(server: TestServer, owner: number, path_id: string, size: number): void {
  server.running.server.database.run(
    `INSERT INTO attachments (realm_id, owner_id, name, path_id, content_type, size, create_time)
     VALUES ((SELECT realm_id FROM users WHERE id = ?1), ?1, 'a.txt', ?2, 'text/plain', ?3, 0)`,
    [owner, path_id, size],
  )
}

test('a backup is made, listed, downloaded and deleted', async () => {
  const server = await bootOn()
  expect(await server.admin('GET', '/backups')).toMatchObject({
    backups: [],
    last: null,
    running: null,
    restored: null,
    automatic: { daily: 7, weekly: 4 },
  })
  const name = await backUp(server)
  expect(name).toMatch(/^manual-\d{4}-\d\d-\d\d-\d{6}\.parley-backup$/)
  const { backups, last } = await server.admin('GET', '/backups')
  const bytes = await readFile(join(backupsOf(server), name))
  expect(backups).toEqual([
    { name, bytes: bytes.length, created_at: expect.any(Number), kind: 'manual', good: true },
  ])
  expect(last).toEqual({ at: expect.any(Number), ok: true, name })

  const headers = { authorization: `Bearer ${server.running.adminToken}` }
  const download = await fetch(`${server.url}/admin/api/backups/${name}`, { headers })
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; filename="?manual-[^"]+\.parley-backup"?$/,
  )
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  expect(await server.admin('DELETE', `/backups/${name}`)).toMatchObject({ result: 'success' })
  expect(await readdir(backupsOf(server))).toEqual([])
})

test('names lead nowhere else', async () => {
  const server = await bootOn()
  await put(server, 'backups/notes.txt', 'mine')
  await put(server, 'backups/folder.parley-backup/x', 'y')
  for (const name of [
    '../parley.db',
    '..%2Fparley.db',
    '..%2f..%2fetc%2fpasswd',
    'notes.txt',
    'folder.parley-backup',
    '.parley-backup',
    '%00.parley-backup',
    'x.parley-backup',
  ]) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as const) {
      const reply = await server.admin(method, `/backups/${name}${path}`)
      expect(reply, `${method} ${name}`).toMatchObject({ result: 'error' })
      expect(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'BAD_REQUEST']).toContain(reply['code'])
    }
  }
  expect((await server.admin('GET', '/backups'))['backups']).toEqual([])
  await stat(join(folderOf(server), 'parley.db'))
  expect(await server.admin('POST', '/backups', { path: 'relative' })).toMatchObject({ code: 'BAD_REQUEST' })
})

test('only the operator', async () => {
  const server = await bootOn()
  await server.admin('POST', '/realms', {
    name: 'acme',
    owner_email: 'o@acme.example',
    owner_name: 'Olga',
    owner_password: 'a password',
  })
  const signIn = await fetch(`${server.url}/admin/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ realm: 'acme', email: 'o@acme.example', password: 'a password' }),
  })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (const [method, path] of [
    ['GET', '/backups'],
    ['POST', '/backups'],
    ['GET', '/backups/x.parley-backup'],
    ['DELETE', '/backups/x.parley-backup'],
    ['POST', '/backups/x.parley-backup/restore'],
    ['POST', '/backups/upload'],
    ['GET', '/backup_jobs/1'],
  ] as const) {
    const refused = await fetch(`${server.url}/admin/api${path}`, { method, headers: { cookie } })
    expect(refused.status, `${method} ${path}`).toBe(403)
    const stranger = await fetch(`${server.url}/admin/api${path}`, { method })
    expect(stranger.status, `${method} ${path}`).toBe(401)
  }
})

test('under load: sound, and with every write acknowledged before it began', async () => {
  const server = await bootOn()
  const people = await Promise.all(['ann', 'bob', 'cy', 'dee', 'eve', 'fay'].map((name) => server.as(name)))
  for (const person of people) await person.join('general')
  const acknowledged: number[] = []
  let writing = true
  const writers = people.map(async (person) => {
    for (let i = 0; writing; i++) {
      acknowledged.push(
        await person.say('general', `topic ${i % 5}`, `${person.email} ${i} `.padEnd(2000, 'x')),
      )
    }
  })
  const rounds: { name: string; before: number[] }[] = []
  for (let round = 0; round < 5; round++) {
    await sleep(150)
    const before = [...acknowledged]
    rounds.push({ name: await backUp(server), before })
    // Also in the same second as the one before.
    expect(new Set(rounds.map(({ name }) => name)).size).toBe(rounds.length)
  }
  const [extra] = people
  await extra?.join('made later')
  writing = false
  await Promise.all(writers)

  for (const { name, before } of rounds) {
    const target = await newFolder()
    const { stageRestore, finishRestore } = await import('./restore-folder.ts')
    await stageRestore(join(backupsOf(server), name), target, { now: 1 })
    expect(await finishRestore(target)).toMatchObject({ ok: true })
    const restored = await openDatabase(join(target, 'parley.db'))
    expect(restored.check(true)).toEqual([])
    const ids = new Set(restored.all<{ id: number }>('SELECT id FROM messages').map(({ id }) => id))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    await restored.close()
  }
  expect(rounds.at(-1)?.before.length).toBeGreaterThan(50)
}, 60_000)

test('the event loop goes on during a backup of 200 MB', async () => {
  const server = await bootOn()
  const ann = await server.as('ann')
  await ann.join('general')
  const { database } = server.running.server
  database.exec('CREATE TABLE ballast (id INTEGER PRIMARY KEY, bytes BLOB)')
  for (let i = 0; i < 200; i++) {
    database.transact(() => {
      for (let k = 0; k < 10; k++) database.run('INSERT INTO ballast (bytes) VALUES (randomblob(100000))')
    })
    if (i % 20 === 0) await database.durable()
  }
  const measure = async (work: () => Promise<unknown>) => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    let sent = 0
    let writing = true
    const writers = [0, 1, 2, 3].map(async () => {
      while (writing) {
        await ann.say('general', 't', 'meanwhile')
        sent += 1
      }
    })
    await sleep(100)
    const started = performance.now()
    sent = 0
    delay.enable()
    await work()
    delay.disable()
    const seconds = (performance.now() - started) / 1000
    writing = false
    await Promise.all(writers)
    const ms = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1)
    return (
      `${seconds.toFixed(1)} s, ${(sent / seconds).toFixed(0)} sends/s by 4 writers; event loop late by ` +
      `p50 ${ms(delay.percentile(50))}, p99 ${ms(delay.percentile(99))}, max ${ms(delay.max)} ms`
    )
  }
  console.log(`without a backup: ${await measure(() => sleep(2000))}`)
  let name = ''
  console.log(`during a backup:  ${await measure(async () => (name = await backUp(server)))}`)
  const bytes = (await stat(join(backupsOf(server), name))).size
  expect(bytes).toBeGreaterThan(200_000_000)
}, 120_000)

describe('a running server', () => {
  test('goes back to a backup, under the same admin link', async () => {
    const server = await bootOn()
    const ann = await server.as('ann')
    await ann.join('general')
    await ann.say('general', 't', 'before')
    await put(server, 'uploads/1/ab/cdef/a.txt', 'hello')
    addAttachment(server, ann.id, '1/ab/cdef/a.txt', 5)
    const name = await backUp(server)
    await ann.say('general', 't', 'after')
    await rm(join(folderOf(server), 'uploads/1/ab/cdef/a.txt'))
    expect((await server.admin('GET', '/check'))['healthy']).toBe(false)

    const again = await restore(server, name)
    expect(again.running.adminToken).toBe(server.running.adminToken)
    expect(await contentsOf(again)).not.toContain('after')
    expect(await contentsOf(again)).toContain('before')
    expect(await again.admin('GET', '/check')).toMatchObject({ healthy: true, problems: [] })
    const { restored, backups } = await again.admin('GET', '/backups')
    expect(restored).toMatchObject({
      ok: true,
      source: name,
      aside: expect.stringMatching(/^before-restore-/),
    })
    expect(backups).toMatchObject([{ name }])
    const old = await openDatabase(join(folderOf(again), restored.aside, 'parley.db'))
    expect(old.first("SELECT 1 AS found FROM messages WHERE content = 'after'")).toEqual({ found: 1 })
    await old.close()
  })

  test('says why it does not, and goes on', async () => {
    const server = await bootOn()
    const name = await backUp(server)
    const file = join(backupsOf(server), name)
    const bytes = await readFile(file)
    const at = bytes.indexOf('SQLite format 3')
    bytes[at + 5000] = (bytes[at + 5000] ?? 0) ^ 1
    await writeFile(file, bytes)
    const reply = await server.admin('POST', `/backups/${name}/restore`)
    expect(reply).toMatchObject({
      code: 'UNUSABLE_BACKUP',
      msg: expect.stringContaining("'parley.db' is damaged"),
    })
    expect((await server.admin('GET', '/backups'))['backups']).toMatchObject([{ name, good: false }])
    expect((await readdir(folderOf(server))).filter((entry) => entry.includes('restore'))).toEqual([])
    expect(await server.admin('GET', '/check')).toMatchObject({ healthy: true })
  })

  test('takes a backup of another machine in', async () => {
    const there = await bootOn()
    const bob = await there.as('bob')
    await bob.join('general')
    await bob.say('general', 't', 'from there')
    const bytes = await readFile(join(backupsOf(there), await backUp(there)))

    const here = await bootOn()
    const upload = async (body: Uint8Array<ArrayBuffer>): Promise<Body> => {
      const response = await fetch(`${here.url}/admin/api/backups/upload`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${here.running.adminToken}`,
          'content-type': 'application/octet-stream',
        },
        body,
      })
      return (await response.json()) as Body
    }
    expect(await upload(new Uint8Array(bytes.subarray(0, 5000)))).toMatchObject({ code: 'UNUSABLE_BACKUP' })
    expect(await readdir(backupsOf(here))).toEqual([])
    const { name } = await upload(new Uint8Array(bytes))
    expect(name).toMatch(/^uploaded-/)
    expect((await here.admin('GET', '/backups'))['backups']).toMatchObject([
      { name, kind: 'manual', good: true },
    ])
    const again = await restore(here, name)
    expect(await contentsOf(again)).toContain('from there')
    expect(again.running.adminToken).toBe(here.running.adminToken)
  })

  test('does one thing at a time, and leaves nothing half done when it stops', async () => {
    const server = await bootOn()
    server.running.server.database.exec(
      'CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(30000000))',
    )
    const { name } = await server.admin('POST', '/backups')
    expect(await server.admin('POST', '/backups')).toMatchObject({ code: 'BACKUP_BUSY' })
    expect((await server.admin('GET', '/backups'))['running']).toMatchObject({ what: 'backup', name })
    await server.close()
    expect(await readdir(backupsOf(server))).toEqual([])
  })

  test('removes what a process that died left behind', async () => {
    const server = await bootOn()
    await put(server, 'backups/.manual-2026-01-01-000000.parley-backup.00ff.partial', 'x')
    await put(server, '.restore-00ff/new/parley.db', 'x')
    await server.close()
    const again = await bootOn({ dataDir: folderOf(server) })
    expect(await readdir(backupsOf(again))).toEqual([])
    expect(await readdir(folderOf(again))).not.toContain('.restore-00ff')
  })
})

describe('automatic backups', () => {
  test('are made once a day, verified, and only so many are kept', async () => {
    let day = 1
    const now = () => Date.parse(`2026-11-${String(day).padStart(2, '0')}T12:00:00`)
    const server = await bootOn({ backupDaily: 2, backupWeekly: 1 }, { now })
    const { backups } = server.running.server
    await put(server, 'backups/office.parley-backup', 'mine')
    for (; day <= 12; day++) {
      expect(await backups.backUpWhenDue()).toMatchObject({ state: 'done' })
      expect(await backups.backUpWhenDue()).toBeNull()
    }
    expect((await readdir(backupsOf(server))).toSorted()).toEqual([
      'daily-2026-11-11.parley-backup',
      'daily-2026-11-12.parley-backup',
      'office.parley-backup',
      'weekly-2026-11-08.parley-backup',
    ])
    await verifyBackup(join(backupsOf(server), 'weekly-2026-11-08.parley-backup'))
    expect(backups.last).toMatchObject({ ok: true, name: 'daily-2026-11-12.parley-backup' })
    await server.close()
    const again = await bootOn({ dataDir: folderOf(server) }, { now })
    expect((await again.admin('GET', '/backups'))['last']).toMatchObject({ ok: true })
  })

  test('that fail are shown, and remove nothing', async () => {
    const server = await bootOn({ backupDaily: 1 }, { now: () => Date.parse('2026-11-05T12:00:00') })
    await put(server, 'backups/daily-2026-11-01.parley-backup', 'old')
    await put(server, 'backups/daily-2026-11-02.parley-backup', 'old')
    server.running.server.database.snapshot() // in the way of another
    expect(await server.running.server.backups.backUpWhenDue()).toMatchObject({ state: 'failed' })
    expect((await server.admin('GET', '/backups'))['last']).toMatchObject({
      ok: false,
      error: expect.any(String),
    })
    expect(await readdir(backupsOf(server))).toHaveLength(2)
  })

  test('can be switched off', async () => {
    const server = await bootOn({ backupDaily: 0, backupWeekly: 0 })
    expect(await server.running.server.backups.backUpWhenDue()).toBeNull()
  })
})

describe('files below uploads/', () => {
  test('that nothing refers to are removed after a day, others never', async () => {
    const server = await bootOn()
    const ann = await server.as('ann')
    const kept = ['1/ab/0001/kept.txt', '1/ab/0002/draft.new', '1/emoji/boat.png', '1/avatars/7.png', 'notes']
    const swept = ['1/ab/0003/orphan.txt', '1/emoji/gone.png', '1/ab/0001/kept.txt.new', 'x.partial']
    const young = ['1/ab/0004/young.txt']
    for (const name of [...kept, ...swept, ...young]) await put(server, `uploads/${name}`, 'hello')
    for (const name of [...kept, ...swept]) {
      const old = new Date(Date.now() - 25 * 3_600_000)
      await utimes(join(folderOf(server), 'uploads', name), old, old)
    }
    addAttachment(server, ann.id, '1/ab/0001/kept.txt', 5)
    addAttachment(server, ann.id, '1/ab/0002/draft.new', 5)
    const { database, backups } = server.running.server
    database.run("INSERT INTO realm_emoji (realm_id, name, file_name) VALUES (1, 'boat', 'boat.png')")
    expect((await backups.sweep()).toSorted()).toEqual(swept.toSorted())
    expect(await backups.sweep()).toEqual([])
    for (const name of [...kept, ...young]) await stat(join(folderOf(server), 'uploads', name))
    expect(await readdir(join(folderOf(server), 'uploads/1/ab'))).not.toContain('0003')
    expect(await server.admin('GET', '/check')).toMatchObject({ healthy: true })
  })

  test('are checked: missing, cut short, or not files', async () => {
    const server = await bootOn()
    const ann = await server.as('ann')
    for (const name of ['missing', 'short', 'folder']) addAttachment(server, ann.id, `1/ab/${name}/a.txt`, 5)
    await put(server, 'uploads/1/ab/short/a.txt', 'hell')
    await put(server, 'uploads/1/ab/folder/a.txt/x', 'hello')
    expect((await server.admin('GET', '/check'))['problems']).toEqual([
      expect.stringMatching(/missing\/a\.txt is missing$/),
      expect.stringMatching(/short\/a\.txt has 4 bytes instead of 5$/),
      expect.stringMatching(/folder\/a\.txt is missing$/),
    ])
  })
})

test('a data folder works wherever it is moved to', async () => {
  const server = await bootOn({ demo: true })
  const name = await backUp(server)
  await server.close()
  const from = folderOf(server)
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name))
    for (const path of [from, from.slice(from.lastIndexOf('/') + 1), process.cwd()]) {
      expect(bytes.includes(path), `${path} in ${entry.name}`).toBe(false)
    }
  }
  const to = join(await newFolder(), 'a stick', 'pärley')
  await mkdir(dirname(to))
  await rename(from, to)
  const moved = await bootOn({ dataDir: to })
  expect(await moved.admin('GET', '/check')).toMatchObject({ healthy: true, problems: [] })
  expect((await moved.admin('GET', '/backups'))['backups']).toMatchObject([{ name }])
  expect((await moved.admin('GET', '/realms'))['realms']).toMatchObject([{ name: 'demo' }])
})
