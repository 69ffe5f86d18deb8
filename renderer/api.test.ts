import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, ConnectionError, encodeForm, RealmClient } from './api.ts'
import { connection } from './base/connection.ts'

const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const access = (api_key: string) => ({
  result: 'success',
  base_url: 'http://office.lan:9870/r/demo',
  user_id: 1,
  email: 'zoë@demo.local',
  api_key,
  role: 100,
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('scalars travel plain, structures as JSON', () => {
  const form = encodeForm({ name: 'a "b"', role: 400, invite_only: false, subscriptions: [{ name: 'x' }] })
  expect(Object.fromEntries(form)).toEqual({
    name: 'a "b"',
    role: '400',
    invite_only: 'false',
    subscriptions: '[{"name":"x"}]',
  })
})

test('a realm is called on the path of its address, on this origin, with its key', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  fetch
    .mockResolvedValueOnce(reply(access('k1')))
    .mockResolvedValueOnce(reply({ result: 'success', members: [] }))
  vi.stubGlobal('fetch', fetch)
  await new RealmClient('demo').call('GET', '/users', { client_extavatar: false })
  expect(fetch.mock.calls[0]?.[0]).toBe('/admin/api/realms/demo/access')
  const [url, init] = fetch.mock.calls[1] ?? []
  expect(url).toBe('/r/demo/api/v1/users?client_extavatar=false')
  expect(new Headers(init?.headers).get('authorization')).toBe(
    `Basic ${Buffer.from('zoë@demo.local:k1').toString('base64')}`,
  )
})

test('a replaced key is fetched anew, once', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  const refused = { result: 'error', code: 'INVALID_API_KEY', msg: 'Invalid API key' }
  fetch
    .mockResolvedValueOnce(reply(access('old')))
    .mockResolvedValueOnce(reply(refused, 401))
    .mockResolvedValueOnce(reply(access('new')))
    .mockResolvedValueOnce(reply({ result: 'success', ok: 1 }))
    .mockResolvedValueOnce(reply(refused, 401))
    .mockResolvedValueOnce(reply(access('newer')))
    .mockResolvedValueOnce(reply(refused, 401))
  vi.stubGlobal('fetch', fetch)
  const client = new RealmClient('demo')
  expect(await client.call('DELETE', '/users/7')).toMatchObject({ ok: 1 })
  await expect(client.call('DELETE', '/users/7')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  expect(fetch).toHaveBeenCalledTimes(7)
})

test('an error reply keeps its code, its words and its extra fields', async () => {
  const body = { result: 'error', code: 'CANNOT_DEACTIVATE_LAST_USER', msg: 'No.', is_last_owner: true }
  vi.stubGlobal(
    'fetch',
    vi
      .fn<typeof globalThis.fetch>()
      .mockResolvedValueOnce(reply(access('k')))
      .mockResolvedValueOnce(reply(body, 400)),
  )
  const error = await new RealmClient('demo').call('DELETE', '/users/1').catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 400, code: body.code, message: 'No.', data: { is_last_owner: true } })
})

test('no answer is a lost connection, until the server answers', async () => {
  vi.useFakeTimers()
  const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValueOnce(new TypeError('refused'))
  vi.stubGlobal('fetch', fetch)
  await expect(new RealmClient('demo').call('GET', '/users')).rejects.toBeInstanceOf(ConnectionError)
  expect(connection().state).toBe('lost')
  fetch.mockRejectedValueOnce(new TypeError('refused')).mockResolvedValueOnce(reply({}, 401))
  await vi.advanceTimersByTimeAsync(300)
  expect(connection().state).toBe('lost')
  await vi.advanceTimersByTimeAsync(1500)
  expect(connection().state).toBe('online')
})
