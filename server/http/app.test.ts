import { describe, expect, test } from 'vitest'
import { type Body, boot } from '../test/boot.ts'
import { clientName } from './app.ts'

const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
const read = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Body,
})

describe('parameters travel in many ways', () => {
  const fields = { type: 'channel', to: 'general', topic: 'greetings', content: 'Hello!' }

  test.each<[string, (url: string, headers: Record<string, string>) => Promise<Response>]>([
    ['a form', (url, headers) => fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) })],
    [
      'the query',
      (url, headers) => fetch(`${url}?${new URLSearchParams(fields)}`, { method: 'POST', headers }),
    ],
    [
      'a multipart body',
      (url, headers) => {
        const body = new FormData()
        for (const [name, value] of Object.entries(fields)) body.set(name, value)
        return fetch(url, { method: 'POST', headers, body })
      },
    ],
    [
      'a JSON body',
      (url, headers) =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...fields, to: ['general'] }),
        }),
    ],
    [
      'its old name and repeated slashes',
      (url, headers) => {
        const { topic, ...rest } = fields
        const body = new URLSearchParams({ ...rest, subject: topic })
        return fetch(url.replace('/api/v1/', '//api///v1//'), { method: 'POST', headers, body })
      },
    ],
  ])('in %s', async (_how, send) => {
    const server = await boot()
    const owner = await server.owner()
    await owner.join('general')
    const sent = await read(
      await send(`${owner.base}/api/v1/messages`, { Authorization: owner.authorization }),
    )
    expect(sent).toMatchObject({ status: 200, body: { result: 'success', msg: '', id: 1 } })
    const { message } = await owner.get('/messages/1')
    expect(message).toMatchObject({
      subject: 'greetings',
      content: '<p>Hello!</p>',
      display_recipient: 'general',
    })
  })

  test('parameters that the operation does not know are told', async () => {
    const owner = await (await boot()).owner()
    const { body } = await owner.request('GET', '/users/me', { colour: 'red' })
    expect(body['ignored_parameters_unsupported']).toEqual(['colour'])
    expect(await owner.get('/users/me')).not.toHaveProperty('ignored_parameters_unsupported')
  })
})

describe('credentials', () => {
  test.each([
    ['none', undefined, 'UNAUTHORIZED'],
    ['another scheme', 'Bearer abc', 'UNAUTHORIZED'],
    ['nonsense', 'Basic %%%', 'UNAUTHORIZED'],
    ['a wrong key', basic('owner@test.example', 'x'.repeat(32)), 'INVALID_API_KEY'],
    ['a key of another length', basic('owner@test.example', 'short'), 'INVALID_API_KEY'],
    ['an unknown address', basic('nobody@test.example', 'x'.repeat(32)), 'INVALID_API_KEY'],
  ])('%s: 401', async (_what, authorization, code) => {
    const server = await boot()
    const owner = await server.owner()
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const response = await fetch(`${owner.base}/api/v1/users/me`, { headers })
    expect(response.headers.get('WWW-Authenticate')).toBe('Basic realm="parley"')
    expect(await read(response)).toMatchObject({ status: 401, body: { result: 'error', code } })
  })

  test("those of another realm's user do not serve here", async () => {
    const server = await boot()
    const stranger = await server.as('eve', 'owner', 'other')
    const owner = await server.owner()
    const response = await fetch(`${owner.base}/api/v1/users/me`, {
      headers: { authorization: stranger.authorization },
    })
    expect(await read(response)).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } })
  })

  test('the address counts in any case', async () => {
    const owner = await (await boot()).owner()
    const headers = { authorization: basic('OWNER@Test.Example', owner.apiKey) }
    expect((await fetch(`${owner.base}/api/v1/users/me`, { headers })).status).toBe(200)
  })
})

describe('realms by address', () => {
  const realmName = async (url: string, host?: string) => {
    const { body } = await requestWithHost(`${url}/api/v1/server_settings`, host)
    return body['realm_name'] as string
  }

  test('by path, by host, and the first one by default', async () => {
    const server = await boot()
    await server.owner('first')
    await server.owner('second')
    expect(await realmName(`${server.url}/r/second`)).toBe('second')
    expect(await realmName(server.url)).toBe('first')
    expect(await realmName(server.url, 'second.localhost')).toBe('second')
    expect(await realmName(server.url, 'second.office.lan:9870')).toBe('second')
    expect(await realmName(server.url, 'unknown.office.lan')).toBe('first')
    expect(await realmName(`${server.url}/r/second`, 'first.localhost')).toBe('second')
  })

  test('an unknown realm is not found', async () => {
    const server = await boot()
    const nowhere = await read(await fetch(`${server.url}/r/nowhere/api/v1/server_settings`))
    expect(nowhere).toMatchObject({ status: 404, body: { result: 'error', code: 'NOT_FOUND' } })
    const none = await read(await fetch(`${server.url}/api/v1/server_settings`))
    expect(none).toMatchObject({ status: 404, body: { result: 'error', code: 'NOT_FOUND' } })
  })
})

describe('bad requests change nothing and never break the server', () => {
  const json = { 'Content-Type': 'application/json' }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

  test.each<[string, string, RequestInit, number, string]>([
    ['broken JSON', '/messages', { method: 'POST', headers: json, body: '{' }, 400, 'BAD_REQUEST'],
    ['a JSON list', '/messages', { method: 'POST', headers: json, body: '[]' }, 400, 'BAD_REQUEST'],
    ['a JSON word', '/messages', { method: 'POST', headers: json, body: '7' }, 400, 'BAD_REQUEST'],
    [
      'a multipart body without its boundary',
      '/messages',
      { method: 'POST', headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' },
      400,
      'BAD_REQUEST',
    ],
    [
      'a huge body',
      '/messages',
      { method: 'POST', headers: form, body: 'x'.repeat(5e6) },
      413,
      'REQUEST_TOO_LARGE',
    ],
    [
      'an unknown encoding',
      '/messages',
      { method: 'POST', headers: { ...form, 'Content-Encoding': 'x' }, body: 'a=b' },
      400,
      'BAD_REQUEST',
    ],
    ['nothing', '/messages', { method: 'POST' }, 400, 'REQUEST_VARIABLE_MISSING'],
    ['a broken address', '/streams/%E0%A4%A', { method: 'DELETE' }, 400, 'BAD_REQUEST'],
    ['an unknown method', '/messages', { method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
    ['an unknown address', '/nothing/at/all', { method: 'GET' }, 404, 'NOT_FOUND'],
    ['an id beyond all numbers', '/messages/99999999999999999999', { method: 'GET' }, 400, 'BAD_REQUEST'],
    ['a word for an id', '/messages/first', { method: 'GET' }, 400, 'BAD_REQUEST'],
  ])('%s', async (_what, path, init, status, code) => {
    const owner = await (await boot()).owner()
    await owner.listen()
    const headers = {
      ...(init.headers as Record<string, string> | undefined),
      authorization: owner.authorization,
    }
    const reply = await read(await fetch(`${owner.base}/api/v1${path}`, { ...init, headers }))
    expect(reply).toMatchObject({ status, body: { result: 'error', code } })
    expect(await owner.events()).toEqual([])
  })
})

test('the OpenAPI document describes every operation, and the console shows it', async () => {
  const server = await boot()
  await server.owner()
  const document = (await (await fetch(`${server.url}/r/test/api/v1/openapi.json`)).json()) as Body
  expect(document['openapi']).toBe('3.1.0')
  expect(document['servers']).toEqual([{ url: '/r/test/api/v1' }])
  expect(document['paths']['/messages']['post']).toMatchObject({
    operationId: 'send-message',
    security: [{ apiKey: [] }],
    requestBody: {
      content: { 'application/x-www-form-urlencoded': { schema: { required: ['type', 'to', 'content'] } } },
    },
  })
  const page = await fetch(`${server.url}/r/test/api/`)
  expect(page.headers.get('Content-Type')).toContain('text/html')
  for (const [, address] of (await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(address).toMatch(/^\//)
    const asset = await fetch(new URL(address ?? '', page.url))
    expect(asset.status).toBe(200)
    await asset.arrayBuffer()
  }
})

test('pictures are drawn for users and organizations', async () => {
  const server = await boot()
  const owner = await server.owner()
  const { avatar_url } = await owner.get('/users/me')
  const picture = await fetch(avatar_url)
  expect(picture.headers.get('Content-Type')).toContain('image/svg+xml')
  expect((await fetch(`${owner.base}/avatar/999`)).status).toBe(404)
  expect((await fetch(`${owner.base}/realm/icon`)).status).toBe(200)
})

test.each([
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'website'],
  ['ParleyPhone/1.2 (Android)', 'ParleyPhone'],
  ['My Bot/2', 'My Bot'],
  ['', 'Unspecified'],
  [undefined, 'Unspecified'],
])('the client of %j is %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name)
})

/** `fetch` does not let a test name another Host. */
async function requestWithHost(url: string, host: string | undefined): Promise<{ body: Body }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host }
    request(url, { headers }, (response) => {
      let received = ''
      response.on('data', (chunk) => (received += String(chunk)))
      response.on('end', () => resolve({ body: JSON.parse(received) as Body }))
    })
      .on('error', reject)
      .end()
  })
}
