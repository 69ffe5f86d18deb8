/** The admin page's own interface: nobody without a session, nobody from elsewhere, each administrator at home only. */
import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertAdminMayEnter } from '../features/admin/access.ts'
import { adminRoutes } from '../features/registry.ts'
import type { Server } from '../context.ts'
import { type Body, start, type TestServer } from '../test/boot.ts'

let server: TestServer
let stop: () => Promise<void>
let cookie: string
beforeAll(async () => {
  ;({ server, stop } = await start())
  const realm = {
    display_name: 'A',
    owner_email: 'o@a.example',
    owner_name: 'O',
    owner_password: 'a password',
  }
  for (const name of ['home', 'away']) await server.admin('POST', '/realms', { ...realm, name })
  const signIn = { realm: 'home', email: 'o@a.example', password: 'a password' }
  const reply = await send('POST', '/session', {}, JSON.stringify(signIn))
  cookie = reply.cookie
})
afterAll(() => stop())

function send(method: string, path: string, headers: Record<string, string>, body = '{}') {
  const { hostname, port } = new URL(server.url)
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  return new Promise<{ status: number; body: Body; cookie: string }>((resolve, reject) => {
    const req = httpRequest({ method, hostname, port, path: `/admin/api${path}`, headers: all }, (res) => {
      if (res.headers['content-type'] === 'text/event-stream') {
        res.destroy()
        return resolve({ status: 200, body: {}, cookie: '' })
      }
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(chunks).toString()),
          cookie: String(res.headers['set-cookie'] ?? '').split(';')[0] ?? '',
        }),
      )
    })
    req.on('error', reject)
    req.end(body)
  })
}

const guarded = adminRoutes.filter(({ caller }) => caller === 'admin')
const filled = (path: string, name: string) =>
  path
    .replace('/realms/{name}', `/realms/${name}`)
    .replace('{name}', 'nothing.zip')
    .replace(/\{\w+\}/g, '4711')
const token = () => `Bearer ${server.running.adminToken}`

test.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  async (_name, route) => {
    const { method, path } = route
    const { database } = server.running.server
    const before = database.sequence
    const at = filled(path, 'away')
    expect(await send(method, at, {})).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    const key = { authorization: `Basic ${Buffer.from('o@a.example:a password').toString('base64')}` }
    expect(await send(method, at, key)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    const rebound = { authorization: token(), host: 'evil.example' }
    expect(await send(method, at, rebound)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    if (method !== 'GET') {
      const foreign = { authorization: token(), origin: 'http://evil.example' }
      expect(await send(method, at, foreign)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    // A file that is missing is missed before anything else.
    if (
      path.startsWith('/realms/{name}') &&
      !Object.values(route.params).some(({ travels }) => travels === 'file')
    ) {
      // Of another's organization an administrator is not even told that it is there.
      const body = JSON.stringify({
        email: 'x@a.example',
        full_name: 'X',
        permission: 'can_create_users',
        granted: true,
      })
      const reply = await send(method, at, { cookie }, body)
      expect(['NOT_FOUND', 'FORBIDDEN'], JSON.stringify(reply.body)).toContain(reply.body['code'])
    }
    expect(database.sequence).toBe(before)
  },
)

test('what is the whole server’s takes the admin link', async () => {
  const own = new Set(['GET /session', 'GET /realms', 'GET /activity'])
  const open: string[] = []
  for (const { method, path } of guarded) {
    if (path.startsWith('/realms/{name}')) continue
    const body = JSON.stringify({
      name: 'third',
      display_name: 'T',
      owner_email: 'o@t.example',
      owner_name: 'O',
      path: '/nowhere/x.zip',
    })
    const { status } = await send(method, filled(path, 'home'), { cookie }, body)
    expect(status, `${method} ${path}`).toBeLessThan(500)
    if (status !== 403) open.push(`${method} ${path}`)
  }
  expect(open.filter((name) => !own.has(name))).toEqual(['DELETE /queues/{queue_id}'])
})

test('odd requests are refused, never a fault', async () => {
  const odd = [
    '',
    'null',
    '[]',
    '{"name":',
    '{"name":null}',
    '{"name":{"a":1},"email":[1],"role":"x","path":"\\u0000"}',
  ]
  for (const { method, path } of adminRoutes) {
    if (method === 'GET' && path === '/activity') continue
    for (const body of odd) {
      for (const name of ['home', '%00', '__proto__', '%F0%9F', '..%2f..']) {
        // These do something without being told more.
        if (/access|reactivate|upload|^\/backups$/.test(path) || (method === 'POST' && name === 'home'))
          continue
        const reply = await send(method, filled(path, name), { authorization: token() }, body)
        expect(reply.status, `${method} ${path} ${name} ${body}`).toBeLessThan(500)
        if (reply.status !== 200)
          expect(reply.body).toMatchObject({ result: 'error', code: expect.any(String) })
      }
    }
  }
})

test('other machines are let in only where that is switched on', () => {
  const from = (remoteAddress: string) =>
    ({
      socket: { remoteAddress },
      headers: { host: '192.168.0.7:9870' },
      method: 'GET',
    }) as unknown as IncomingMessage
  const running = (adminFromOtherMachines: boolean) => ({ config: { adminFromOtherMachines } }) as Server
  for (const address of ['192.168.0.9', '::ffff:192.168.0.9', 'fe80::1', '10.0.0.1', '128.0.0.1']) {
    expect(() => assertAdminMayEnter(running(false), from(address)), address).toThrow('only')
    expect(() => assertAdminMayEnter(running(true), from(address)), address).not.toThrow()
  }
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    expect(() => assertAdminMayEnter(running(false), from(address)), address).not.toThrow()
  }
})
