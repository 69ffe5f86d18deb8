/**
 * Every operation is sent what no client should send. It has to answer soon, in the form that the specification gives
 * errors, never with a fault of the server's; and what it refuses changes nothing.
 * `PARLEY_HOSTILE_RUNS` is how often for each operation, `PARLEY_HOSTILE_SEED` with which chances.
 */
import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../http/define-route.ts'
import { apiRoutes } from '../features/registry.ts'
import { type Body, type Params, type Person, start, type TestServer } from '../test/boot.ts'
import { replyProblems } from '../test/contract.ts'
import { hostileValue, nearlyRight } from './hostile-values.ts'
import { operations, type Request } from './operations.ts'
import { addressOf } from './send.ts'
import { World } from './world.ts'

const runs = Number(process.env['PARLEY_HOSTILE_RUNS'] ?? 12)
const seed = Number(process.env['PARLEY_HOSTILE_SEED'] ?? 370)
/** Milliseconds within which everything is answered. */
const patience = 15_000

let server: TestServer
let common: World
let stop: () => Promise<void>
/** Of things that are there, are gone, or belong to another organization. */
let ids: number[]
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  ;({ server, stop } = await start({ heartbeatSeconds: 1 }))
  common = await World.make(server, 'test')
  ids = await idsOf(common)
})
afterAll(async () => {
  agent.destroy()
  await stop()
})

async function idsOf(world: World): Promise<number[]> {
  const foreign = await World.make(server, 'foreign')
  const { owner } = world
  const archived = (await world.channel()).id
  await owner.delete(`/streams/${archived}`)
  const deleted = await world.message()
  await owner.delete(`/messages/${deleted}`)
  const closed = await world.group()
  await owner.post(`/user_groups/${closed}/deactivate`)
  return [
    archived,
    deleted,
    closed,
    (await world.channel()).id,
    await world.message(),
    await world.message(world.other),
    await world.group([world.other]),
    world.other.id,
    world.callers.deactivated.id,
    await world.botOf(owner),
    (await world.person('guest')).id,
    (await foreign.common()).id,
    await foreign.message(),
    await foreign.group(),
    foreign.other.id,
  ]
}

type Carrier = 'form' | 'query' | 'json' | 'multipart'
interface Reply {
  status: number
  text: string
}

/** A request as it is, wherever a well-meant client library would stand in the way. */
function raw(method: string, url: string, headers: Record<string, string>, body?: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const path = url.slice(url.indexOf('/', 'http://'.length))
    const signal = AbortSignal.timeout(patience)
    const length = body ? { 'Content-Length': String(body.length) } : {}
    const req = httpRequest(
      { method, hostname, port, path, agent, signal, headers: { ...length, ...headers } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
        res.on('error', reject)
      },
    )
    req.on('error', reject)
    req.end(body)
  })
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function multipart(fields: readonly (readonly [string, unknown])[], file?: Request['file']): Buffer {
  const parts = fields.map(([name, value]) => part(`form-data; name="${name}"`, asText(value)))
  if (file) parts.push(part(`form-data; name="file"; filename="${file.name}"`, file.bytes))
  return Buffer.concat([...parts, Buffer.from('--edge--\r\n')])
}
const part = (disposition: string, bytes: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(`--edge\r\nContent-Disposition: ${disposition}\r\n\r\n`),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ])

/** Sends parameters, some of them twice perhaps, by one of the ways in which they may travel. */
function send(who: Person, name: string, fixed: Request, pairs: [string, unknown][], carrier: Carrier) {
  const { path, file } = addressOf(name, fixed)
  const [method = ''] = name.split(' ')
  const url = `${who.base}/api/v1${path}`
  const form = new URLSearchParams(pairs.map(([key, value]) => [key, asText(value)])).toString()
  const headers = (type?: string) => ({
    Authorization: who.authorization,
    ...(type ? { 'Content-Type': type } : {}),
  })
  if (file || carrier === 'multipart') {
    return raw(method, url, headers('multipart/form-data; boundary=edge'), multipart(pairs, file))
  }
  if (carrier === 'json') {
    const body = Buffer.from(JSON.stringify(Object.fromEntries(pairs)))
    return raw(method, url, headers('application/json'), body)
  }
  // The longest line of a request that Node's parser takes is 16 KiB.
  if (method === 'GET' || (carrier === 'query' && form.length < 8000)) {
    return raw(method, `${url}?${form.slice(0, 8000)}`, headers())
  }
  return raw(method, url, headers('application/x-www-form-urlencoded'), Buffer.from(form))
}

/** @throws when a reply is none that a client could understand */
function assertUnderstood(world: World, before: number, { status, text }: Reply, what: string): void {
  expect(status, `${what}: ${text.slice(0, 300)}`).toBeLessThan(500)
  const body = JSON.parse(text) as Body
  if (status === 200) {
    expect(body).toMatchObject({ result: 'success', msg: '' })
    return
  }
  expect(body, what).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) })
  expect(world.sequence, `${what} changed something: ${text.slice(0, 300)}`).toBe(before)
}

const show = (pairs: unknown) => (JSON.stringify(pairs) ?? '').slice(0, 300)

/** An odd id may be that of somebody whom other requests need. */
const mayEndAccounts = new Set(['DELETE /users/{user_id}', 'DELETE /bots/{bot_id}'])

describe('odd values', () => {
  test.each(apiRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (name, route) => {
      const operation = operations[name]
      if (!operation) throw new Error('no such row')
      const world =
        operation.spoils || mayEndAccounts.has(name) ? await World.make(server, `own${route.id}`) : common
      // Who may change their own address would be nobody that the next request knows.
      const caller = name === 'PATCH /settings' ? await world.person() : world.owner
      const request = await operation.request(world, caller)
      await fc.assert(
        fc.asyncProperty(oddRequest(route, request), async ({ fixed, pairs, carrier }) => {
          if (name === 'POST /export/realm') await world.exported()
          const before = world.sequence
          const reply = await send(caller, name, fixed, pairs, carrier)
          assertUnderstood(world, before, reply, `${name} ${show(fixed)} ${show(pairs)} as ${carrier}`)
          if (reply.status === 200 && reply.text.startsWith('{')) {
            const { path } = addressOf(name, fixed)
            expect(replyProblems(route.method, path, JSON.parse(reply.text))).toBeNull()
          }
        }),
        { numRuns: operation.spoils ? 1 : runs, seed, endOnFailure: true },
      )
      if (!operation.spoils) await world.owner.get('/users/me')
    },
    600_000,
  )
})

interface OddRequest {
  /** Parameters of the path, and the file. */
  fixed: Request
  /** All others. */
  pairs: [string, unknown][]
  carrier: Carrier
}

function oddRequest(route: Route, { file, ...right }: Request): fc.Arbitrary<OddRequest> {
  const declared = Object.entries(route.params).filter(([, { travels }]) => travels !== 'file')
  const names = declared.map(([name]) => name)
  const carrier = fc.constantFrom<Carrier>('form', 'query', 'json', 'multipart')
  const assemble = (params: Params, twice: [string, unknown][]): Omit<OddRequest, 'carrier'> => {
    const inPath = (name: string) => route.params[name]?.travels === 'path'
    const all = Object.entries(params)
    return {
      fixed: { ...Object.fromEntries(all.filter(([name]) => inPath(name))), ...(file ? { file } : {}) },
      pairs: [...all.filter(([name]) => !inPath(name)), ...twice],
    }
  }
  if (names.length === 0) return carrier.map((carrier) => ({ ...assemble(right, [['odd', 1]]), carrier }))
  const change = fc
    .constantFrom(...names)
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.oneof(
          { weight: 3, arbitrary: hostileValue(ids) },
          { weight: 3, arbitrary: nearlyRight(route.params[name] as never, ids) },
        ),
        fc.constantFrom('set', 'set', 'set', 'set', 'drop', 'repeat'),
      ),
    )
  return fc.tuple(carrier, fc.array(change, { minLength: 1, maxLength: 3 })).map(([carrier, changes]) => {
    const params: Params = { ...right }
    const twice: [string, unknown][] = []
    for (const [name, value, how] of changes) {
      if (how === 'repeat' && route.params[name]?.travels !== 'path') twice.push([name, value])
      else if (how === 'drop' && route.params[name]?.travels !== 'path') delete params[name]
      // An empty segment is another address.
      else if (route.params[name]?.travels !== 'path' || !/^(\.{0,2}|null|)$/.test(asText(value)))
        params[name] = value
    }
    const short = (params: Params) =>
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => {
          const isLong = route.params[name]?.travels === 'path' && asText(value).length > 2000
          return [name, isLong ? asText(value).slice(0, 1000) : value]
        }),
      )
    return { ...assemble(short(params), twice), carrier }
  })
}

describe('odd requests', () => {
  const form = 'application/x-www-form-urlencoded'
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  /** Bodies that are not what they are said to be. */
  const bodies: [what: string, type: string, body: Buffer | string, headers?: Record<string, string>][] = [
    ['a form in no encoding', form, '%ff%zz=%&&==&%'],
    ['a form of Latin letters', `${form}; charset=latin1`, 'content=%e9'],
    ['an unknown alphabet', `${form}; charset=klingon`, 'content=a'],
    ['UTF-7', 'application/json; charset=utf-7', '{}'],
    ['UTF-16', 'application/json; charset=utf-16', Buffer.from('{"content":"a"}', 'utf16le')],
    ['broken JSON', 'application/json', '{"content":'],
    ['an array', 'application/json', '[1,2]'],
    ['a word', 'application/json', '"word"'],
    ['nothing', 'application/json', 'null'],
    ['bytes', 'application/json', Buffer.from([0xff, 0xfe, 0x00])],
    ['depth', 'application/json', `{"content":${deep(100_000)}}`],
    ['half characters', 'application/json', '{"content":"\\ud800","topic":"\\udfff","full_name":"\\ud800"}'],
    ['a prototype', 'application/json', '{"__proto__":{"content":"a"},"constructor":{"prototype":1}}'],
    ['names of methods', form, 'toString=1&hasOwnProperty=2&__proto__=3&constructor=4'],
    ['ten thousand and one fields', form, Array.from({ length: 10_001 }, (_, i) => `a${i}=1`).join('&')],
    ['too much', form, `content=${'a'.repeat(5 * 1024 * 1024)}`],
    ['too much JSON', 'application/json', `{"content":"${'a'.repeat(5 * 1024 * 1024)}"}`],
    ['no zip', 'application/json', 'not zipped', { 'Content-Encoding': 'gzip' }],
    ['an unknown packing', 'application/json', '{}', { 'Content-Encoding': 'magic' }],
    ['no edge', 'multipart/form-data', 'content'],
    ['another edge', 'multipart/form-data; boundary=other', multipart([['content', 'a']])],
    [
      'half a body of parts',
      'multipart/form-data; boundary=edge',
      '--edge\r\nContent-Disposition: form-data; name="a',
    ],
    ['a part without a name', 'multipart/form-data; boundary=edge', '--edge\r\n\r\na\r\n--edge--\r\n'],
    ['an unwanted file', 'multipart/form-data; boundary=edge', multipart([], { name: 'a', bytes: 'a' })],
    ['two files', 'multipart/form-data; boundary=edge', twoFiles()],
    [
      'fields in fields',
      'multipart/form-data; boundary=edge',
      multipart([
        ['a[b][c]', '1'],
        ['a[b]', '2'],
        ['__proto__[x]', '3'],
      ]),
    ],
    ['text', 'text/plain', 'content=a'],
    ['XML', 'application/xml', '<content>a</content>'],
    ['no type', '', 'content=a'],
    ['a type that is none', '///;;;===', 'content=a'],
  ]

  test.each(bodies)('%s as the body of any operation', async (_what, type, body, headers = {}) => {
    const { owner } = common
    for (const { method, path, caller } of apiRoutes.filter(
      (_, i) => body.length < 100_000 || i % 20 === 0,
    )) {
      // What needs no parameter would be done.
      if (caller === 'anyone' || method === 'GET' || needsNothing.has(`${method} ${path}`)) continue
      const before = common.sequence
      const url = `${owner.base}/api/v1${path.replace(/\{\w+\}/g, '9999999')}`
      const all = {
        Authorization: owner.authorization,
        ...(type ? { 'Content-Type': type } : {}),
        ...headers,
      }
      const reply = await raw(method, url, all, Buffer.from(body as string))
      assertUnderstood(common, before, reply, `${method} ${path}`)
    }
  })

  test('addresses with other slashes, encodings and lengths', async () => {
    const { owner } = common
    const headers = { Authorization: owner.authorization }
    const folded = await raw('GET', `${owner.base}//api///v1//users////me/`, headers)
    expect(folded.status).toBe(200)
    for (const path of [
      '/users/%00',
      '/users/%ff',
      '/users/%',
      '/users/%2F',
      '/users/%2e%2e',
      '/users/me%2Fsubscriptions',
      '/users/..',
      '/users/.',
      '/users/ ',
      `/users/${'a'.repeat(8000)}`,
      '/streams/%31',
      '/streams/1e3',
      '/streams/-1',
      '/streams/9007199254740993',
      '/streams/1.5',
      '/realm/emoji/%F0%9F%98%80',
      '/%00',
      '/\\',
      '/user_uploads/2/%2e%2e/%2e%2e/etc',
      '/user_uploads/2/../../../config.json',
      '/__proto__',
      '/constructor',
      '/users/__proto__',
      '/users/constructor/presence',
      '/?',
      '/users/me?%',
      '/users/me?=&=&&',
      '/users/me#a',
    ]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        if (method !== 'GET' && /users\/me[?#]/.test(path)) continue
        const before = common.sequence
        const reply = await raw(method, `${owner.base}/api/v1${path.replace(' ', '%20')}`, headers)
        assertUnderstood(common, before, reply, `${method} ${path}`)
        expect(JSON.stringify(reply.text)).not.toContain('root:')
      }
    }
  })

  test('methods that an address does not have', async () => {
    const { owner } = common
    for (const { path } of apiRoutes) {
      const url = `${owner.base}/api/v1${path.replace(/\{\w+\}/g, '9999999')}`
      const methods = new Set(
        apiRoutes.filter((route) => route.path === path).map(({ method }) => String(method)),
      )
      for (const method of ['PUT', 'OPTIONS', 'PROPFIND', 'TRACE', 'HEAD']) {
        if (methods.has(method)) continue
        const before = common.sequence
        const reply = await raw(method, url, { Authorization: owner.authorization })
        if (method === 'HEAD') expect(reply, path).toMatchObject({ text: '' })
        else {
          assertUnderstood(common, before, reply, `${method} ${path}`)
          expect(JSON.parse(reply.text)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
        }
        expect(reply.status).toBeLessThan(500)
        expect(common.sequence).toBe(before)
      }
    }
  })

  test('credentials that are none, and headers that are odd', async () => {
    const { owner } = common
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
    for (const Authorization of [
      'Basic',
      'Basic ',
      'Basic !!!',
      'Bearer x',
      'basic',
      ':',
      basic(''),
      basic(':'),
      basic('a'),
      basic(':key'),
      basic(`${owner.email}:`),
      basic(`${owner.email}:\u0000`),
      basic(`${'a'.repeat(5000)}:b`),
      basic('user1@test:x'),
      basic(`user${2 ** 53}@127.0.0.1:x`),
      basic('user0@localhost:x'),
      `Basic ${'A'.repeat(6000)}`,
      `${owner.authorization}, ${owner.authorization}`,
      `Digest ${owner.authorization}`,
    ]) {
      const before = common.sequence
      const reply = await raw('GET', `${owner.base}/api/v1/users/me`, { Authorization })
      assertUnderstood(common, before, reply, Authorization)
      expect(reply.status, Authorization).toBe(401)
    }
    for (const headers of [
      { 'User-Agent': '' },
      { 'User-Agent': `${'x'.repeat(5000)}/1` },
      { 'User-Agent': '/(;' },
      { Host: '' },
      { Host: 'a..b:99999' },
      { Host: '[::1]' },
      { Host: '__proto__.test' },
      { 'Accept-Encoding': 'magic;q=2' },
      { 'Content-Length': '0' },
      { Cookie: '=;=;__proto__=1' },
      { Range: 'bytes=9-1' },
      { Expect: '100-continue' },
      { 'X-Forwarded-For': 'x'.repeat(5000) },
      { 'If-Modified-Since': 'never' },
      { Origin: 'null' },
    ] as Record<string, string>[]) {
      const reply = await raw('GET', `${owner.base}/api/v1/users/me`, {
        Authorization: owner.authorization,
        ...headers,
      })
      assertUnderstood(common, common.sequence, reply, JSON.stringify(headers))
      expect(reply.status, JSON.stringify(headers)).toBe(200)
    }
  })
})

/** Operations that do something without any parameter, or that make no sense to ask for what is not there. */
const needsNothing = new Set(
  Object.keys(operations).filter((name) => {
    const route = apiRoutes.find(({ method, path }) => `${method} ${path}` === name)
    return Object.values(route?.params ?? {}).every(
      ({ travels, schema }) => travels === 'file' || schema.safeParse(undefined).success,
    )
  }),
)

function twoFiles(): Buffer {
  return Buffer.concat([
    part('form-data; name="a"; filename="a"', 'a'),
    part('form-data; name="b"; filename="../../b"', 'b'),
    Buffer.from('--edge--\r\n'),
  ])
}
