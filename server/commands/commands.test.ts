import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { nodeBundleConfig } from '../../vite.node.config.ts'
import { wasmFile } from '../db/bridge.ts'

/** The built program starts many times faster than its sources do. */
let main = ''
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-build-'))
  await build({ ...nodeBundleConfig('server', folder), logLevel: 'silent' })
  await copyFile(wasmFile(), join(folder, 'server', 'sql-wasm.wasm'))
  main = join(folder, 'server', 'main.js')
  return () => rm(folder, { recursive: true, force: true })
}, 60_000)

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function start(words: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs a command to its end. */
async function run(
  words: string[],
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(words)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}

interface Ready {
  url: string
  adminUrl: string
  dataDir: string
  pid: number
  version: string
}

/** Starts a server and waits for its one line. */
async function serve(dataDir: string, ...more: string[]) {
  const child = start(['serve', '--data-dir', dataDir, '--port', '0', '--dev', '--log', 'silent', ...more])
  const lines: string[] = []
  const ready = await new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('parley ready ')) resolve(JSON.parse(line.slice('parley ready '.length)) as Ready)
    })
    child.on('close', (code) => reject(new Error(`exited with ${code}`)))
  })
  const stopped = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ready, lines, stopped }
}

const createRealm = (dataDir: string) =>
  run([
    'realm',
    'create',
    'acme',
    '--owner-email',
    'o@acme.example',
    '--owner-name',
    'Olga',
    '--data-dir',
    dataDir,
    '--json',
  ])

async function ownerOf({ url }: Ready) {
  const api = `${url}/r/acme/api/v1`
  const body = new URLSearchParams({ username: 'o@acme.example' })
  const { api_key } = (await (await fetch(`${api}/dev_fetch_api_key`, { method: 'POST', body })).json()) as {
    api_key: string
  }
  const authorization = `Basic ${Buffer.from(`o@acme.example:${api_key}`).toString('base64')}`
  return async (method: string, path: string, params: Record<string, string>) => {
    const form = new URLSearchParams(params)
    const response = await fetch(`${api}${path}${method === 'GET' ? `?${form}` : ''}`, {
      method,
      headers: { authorization },
      ...(method === 'GET' ? {} : { body: form }),
    })
    return (await response.json()) as Record<string, any>
  }
}

describe('serve', () => {
  test('prints one line, answers, and stops cleanly', async () => {
    const dataDir = await newFolder()
    const { child, ready, lines, stopped } = await serve(dataDir)
    expect(ready).toMatchObject({ dataDir, pid: child.pid, version: expect.any(String) })
    expect(ready.adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/admin\/#token=\w{32}$/)
    expect((await fetch(`${ready.url}/api/v1/openapi.json`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await stopped).toBe(0)
    expect(lines).toHaveLength(1)
    expect((await run(['realm', 'list', '--data-dir', dataDir, '--json'])).code).toBe(0)
  })

  test('a second server on the folder exits 3 and says who holds it; a dead one is taken over', async () => {
    const dataDir = await newFolder()
    const first = await serve(dataDir)
    const second = await run(['serve', '--data-dir', dataDir, '--port', '0'])
    expect(second.code).toBe(3)
    expect(second.stderr).toContain(String(first.ready.pid))
    expect(second.stderr).toContain(first.ready.url)
    first.child.kill('SIGKILL')
    await first.stopped
    const third = await serve(dataDir)
    third.child.kill('SIGINT')
    expect(await third.stopped).toBe(0)
  })

  test('a folder it cannot use: exits 4, says why, and changes nothing', async () => {
    const dataDir = await newFolder()
    await writeFile(
      join(dataDir, 'parley.db'),
      'This is not a database, but somebody may still want it. '.repeat(100),
    )
    const { code, stderr, stdout } = await run(['serve', '--data-dir', dataDir, '--port', '0'])
    expect(code).toBe(4)
    expect(stdout).toBe('')
    expect(stderr).toContain('parley.db')
    expect(await readFile(join(dataDir, 'parley.db'), 'utf8')).toMatch(/^This is not a database/)
  })

  test('a damaged database: exits 4 and names the newest good backup, which can then be restored', async () => {
    const dataDir = await newFolder()
    await createRealm(dataDir)
    const database = join(dataDir, 'parley.db')
    const backups = join(dataDir, 'backups')
    const good = join(backups, 'before-migration-0-to-1.db')
    await mkdir(backups, { recursive: true })
    await copyFile(database, good)
    const bytes = await readFile(database)
    await writeFile(join(backups, 'before-migration-1-to-2.db'), bytes.subarray(0, 20_000))
    await writeFile(join(backups, 'daily-2026-01-01.parley-backup'), 'not one at all')
    bytes.fill(0x5a, 4096, 40_960)
    await writeFile(database, bytes)
    const { code, stderr } = await run(['serve', '--data-dir', dataDir, '--port', '0'])
    expect(code).toBe(4)
    expect(stderr).toContain('is damaged')
    expect(stderr).toContain(`parley restore ${good} --data-dir ${dataDir}`)
    expect(await readFile(database)).toEqual(bytes)
    expect((await run(['restore', good, '--data-dir', dataDir])).code).toBe(0)
    expect((await run(['realm', 'list', '--data-dir', dataDir, '--json'])).stdout).toContain('acme')
  })

  test.each([
    [['serve', '--port', '99999']],
    [['serve', '--colour', 'red']],
    [['serve', '--log', 'loud']],
    [['dance']],
    [[]],
    [['realm', 'create', 'x']],
    [['user', 'create', 'a@b.c', '--realm', 'x', '--name', 'A', '--role', 'king']],
  ])('%j is wrong usage: exits 2', async (words) => {
    const dataDir = await newFolder()
    const { code, stderr } = await run(words.length > 0 ? [...words, '--data-dir', dataDir] : words)
    expect(code).toBe(2)
    expect(stderr).not.toBe('')
  })

  test('settings come from flags, then variables, then the file', async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'config.json'), JSON.stringify({ heartbeatSeconds: 1, port: 1 }))
    const { ready, child, stopped } = await serve(dataDir)
    await createRealm(dataDir)
    const owner = await ownerOf(ready)
    const { event_queue_longpoll_timeout_seconds } = await owner('POST', '/register', {
      fetch_event_types: '["realm"]',
    })
    expect(event_queue_longpoll_timeout_seconds).toBe(31)
    child.kill('SIGTERM')
    expect(await stopped).toBe(0)
  })
})

test('commands work while a server runs and while none does', async () => {
  const dataDir = await newFolder()
  const where = ['--realm', 'acme', '--data-dir', dataDir, '--json']
  const json = async (words: string[], input?: string) => {
    const { code, stdout, stderr } = await run(words, input)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    return JSON.parse(stdout) as Record<string, any>
  }
  const made = await createRealm(dataDir)
  expect(JSON.parse(made.stdout)).toMatchObject({
    realm: { name: 'acme' },
    owner: { email: 'o@acme.example' },
  })
  const again = await createRealm(dataDir)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('taken')

  const server = await serve(dataDir)
  const create = [
    'user',
    'create',
    'ann@acme.example',
    '--name',
    'Ann',
    '--role',
    'moderator',
    '--password-stdin',
    ...where,
  ]
  const ann = await json(create, 'a password\n')
  expect(await json(['user', 'api-key', 'ANN@acme.example', ...where])).toMatchObject({
    api_key: ann['api_key'],
  })
  const { api_key } = await json(['user', 'api-key', 'ann@acme.example', '--reset', ...where])
  expect(api_key).not.toBe(ann['api_key'])
  const body = new URLSearchParams({ username: 'ann@acme.example', password: 'a password' })
  const signedIn = await fetch(`${server.ready.url}/r/acme/api/v1/fetch_api_key`, { method: 'POST', body })
  expect(await signedIn.json()).toMatchObject({ api_key })
  await json(['user', 'grant', 'ann@acme.example', 'can_create_users', ...where])
  server.child.kill('SIGTERM')
  await server.stopped

  const { users } = await json(['user', 'list', ...where])
  expect(users).toMatchObject([
    { role: 100 },
    { email: 'ann@acme.example', role: 300, can_create_users: true },
  ])
  expect(await json(['check', '--data-dir', dataDir, '--json'])).toEqual({ healthy: true, problems: [] })
  expect((await run(['user', 'api-key', 'nobody@acme.example', ...where])).code).toBe(1)
}, 60_000)

test('what was acknowledged is there after kill -9', async () => {
  const dataDir = await newFolder()
  await createRealm(dataDir)
  const acknowledged: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { ready, child, stopped } = await serve(dataDir)
    const owner = await ownerOf(ready)
    if (round === 0) await owner('POST', '/users/me/subscriptions', { subscriptions: '[{"name":"general"}]' })
    const { messages } = await owner('GET', '/messages', {
      anchor: 'oldest',
      num_before: '0',
      num_after: '1000',
    })
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(acknowledged))
    for (let i = 0; i < 5; i += 1) {
      const fields = { type: 'channel', to: 'general', topic: 't', content: `${round}.${i}` }
      acknowledged.push((await owner('POST', '/messages', fields))['id'])
    }
    child.kill('SIGKILL')
    await stopped
  }
  const { ready, child } = await serve(dataDir)
  const owner = await ownerOf(ready)
  const { messages } = await owner('GET', '/messages', {
    anchor: 'oldest',
    num_before: '0',
    num_after: '1000',
  })
  expect(messages.map(({ id }: { id: number }) => id)).toEqual(acknowledged)
  child.kill('SIGTERM')
}, 120_000)

describe('backup and restore', () => {
  const say = async (ready: Ready, content: string) =>
    (await ownerOf(ready))('POST', '/messages', { type: 'channel', to: 'general', topic: 't', content })
  const contents = async (ready: Ready): Promise<string[]> => {
    const range = { anchor: 'oldest', num_before: '0', num_after: '1000' }
    const { messages } = await (await ownerOf(ready))('GET', '/messages', range)
    return messages.map(({ content }: { content: string }) => content.replace(/<.*?>/g, ''))
  }
  const startOffice = async (dataDir: string) => {
    await createRealm(dataDir)
    const server = await serve(dataDir)
    await (await ownerOf(server.ready))('POST', '/users/me/subscriptions', {
      subscriptions: '[{"name":"general"}]',
    })
    await say(server.ready, 'first')
    return server
  }

  test('with a server running and without, into a new folder and into a used one', async () => {
    const dataDir = await newFolder()
    const place = await newFolder()
    const first = join(place, 'first.parley-backup')
    const server = await startOffice(dataDir)
    const made = await run(['backup', first, '--data-dir', dataDir, '--json'])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toEqual({ file: first, bytes: expect.any(Number) })
    await say(server.ready, 'second')

    const again = await run(['backup', first, '--data-dir', dataDir])
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toContain('exists already')
    const held = await run(['restore', first, '--data-dir', dataDir])
    expect(held).toMatchObject({ code: 3, stdout: '' })
    expect(held.stderr).toMatch(/in use by process \d+.*Stop it first, or restore from its admin page/)
    server.child.kill('SIGTERM')
    expect(await server.stopped).toBe(0)

    const second = join(place, 'second.parley-backup')
    expect(await run(['backup', second, '--data-dir', dataDir])).toMatchObject({ code: 0 })
    const elsewhere = join(place, 'not', 'there yet')
    const restored = await run(['restore', second, '--data-dir', elsewhere, '--json'])
    expect(JSON.parse(restored.stdout)).toEqual({ data_dir: elsewhere, aside: null })
    expect(await run(['check', '--data-dir', elsewhere])).toMatchObject({ code: 0 })

    const back = await run(['restore', first, '--data-dir', dataDir, '--json'])
    const { aside } = JSON.parse(back.stdout) as { aside: string }
    expect(aside).toContain(join(dataDir, 'before-restore-'))
    const old = await serve(dataDir)
    expect(await contents(old.ready)).not.toContain('second')
    old.child.kill('SIGTERM')
    await old.stopped
    // What was put aside is a data folder itself.
    const kept = await serve(aside)
    expect(await contents(kept.ready)).toContain('second')
    kept.child.kill('SIGTERM')
    await kept.stopped
  }, 120_000)

  test('what cannot be restored is refused and changes nothing', async () => {
    const dataDir = join(await newFolder(), 'data')
    const place = await newFolder()
    const file = join(place, 'a.parley-backup')
    expect(await run(['restore', file, '--data-dir', dataDir])).toMatchObject({ code: 1 })
    await createRealm(join(place, 'office'))
    await run(['backup', file, '--data-dir', join(place, 'office')])
    await writeFile(file, (await readFile(file)).subarray(0, -50))
    const cut = await run(['restore', file, '--data-dir', dataDir])
    expect(cut).toMatchObject({ code: 1, stdout: '' })
    expect(cut.stderr).toMatch(/a\.parley-backup was refused\. .*cut off/)
    expect(existsSync(dataDir)).toBe(false)
    expect(await run(['restore', '--data-dir', dataDir])).toMatchObject({ code: 2 })
    expect(await run(['backup', '--data-dir', dataDir])).toMatchObject({ code: 2 })
  }, 120_000)

  test('a running server restored by its admin page goes on in the same process, at the same address', async () => {
    const dataDir = await newFolder()
    const { ready, child, lines, stopped } = await startOffice(dataDir)
    const admin = async (method: string, path: string) => {
      const token = new URL(ready.adminUrl).hash.slice('#token='.length)
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${ready.url}/admin/api${path}`, { method, headers })
      return (await response.json()) as Record<string, any>
    }
    const { name } = await admin('POST', '/backups')
    while ((await admin('GET', '/backups'))['running']) await sleep(20)
    await say(ready, 'second')
    expect(await contents(ready)).toContain('second')
    expect(await admin('POST', `/backups/${name}/restore`)).toMatchObject({ result: 'success' })
    let restored = null
    for (let tries = 0; tries < 100 && !restored; tries++) {
      restored = await admin('GET', '/backups').then(
        (reply) => reply['restored'],
        () => null,
      )
      await sleep(50)
    }
    expect(restored).toMatchObject({ ok: true, source: name })
    expect(await contents(ready)).toContain('first')
    expect(await contents(ready)).not.toContain('second')
    expect(lines).toHaveLength(1)
    child.kill('SIGTERM')
    expect(await stopped).toBe(0)
  }, 120_000)
})
