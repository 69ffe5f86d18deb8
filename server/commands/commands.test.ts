import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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
