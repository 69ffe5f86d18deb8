import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Body, boot, Person, type TestServer } from '../../test/boot.ts'

interface Reply {
  status: number
  body: Body
  cookie: string | undefined
}

/** `fetch` lets nobody choose Host, Origin and the local address. */
function send(
  server: TestServer,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    outgoing.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => {
        const cookie = response.headers['set-cookie']?.[0]
        resolve({
          status: response.statusCode ?? 0,
          body: text.startsWith('{') ? (JSON.parse(text) as Body) : {},
          cookie,
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const realm = {
  name: 'acme',
  display_name: 'Acme',
  owner_email: 'olga@acme.example',
  owner_name: 'Olga',
  owner_password: 'a password',
}

async function signIn(server: TestServer, credentials: unknown) {
  const reply = await send(server, 'POST', '/admin/api/session', { body: credentials })
  return { ...reply, headers: { cookie: reply.cookie?.split(';')[0] ?? '' } }
}

describe('signing in', () => {
  test('by the link of the server', async () => {
    const server = await boot()
    const { status, cookie, headers, body } = await signIn(server, { token: server.running.adminToken })
    expect(status).toBe(200)
    expect(body).toMatchObject({ session: { kind: 'operator', realm: null, email: null } })
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).toMatch(/Path=\/admin/)
    expect(server.running.adminUrl).toBe(`${server.url}/admin/#token=${server.running.adminToken}`)
    expect((await send(server, 'GET', '/admin/api/session', { headers })).body).toMatchObject({
      session: { kind: 'operator' },
    })
    const out = await send(server, 'DELETE', '/admin/api/session', { headers })
    expect(out.cookie).toMatch(/Expires=Thu, 01 Jan 1970/)
  })

  test('as an administrator, of that realm only', async () => {
    const server = await boot()
    await server.admin('POST', '/realms', realm)
    await server.admin('POST', '/realms', { ...realm, name: 'other' })
    await server.admin('POST', '/realms/acme/users', {
      email: 'm@acme.example',
      full_name: 'M',
      password: 'a password',
    })
    const credentials = { realm: 'acme', email: 'olga@acme.example', password: 'a password' }
    const { body, headers } = await signIn(server, credentials)
    expect(body).toMatchObject({
      session: { kind: 'administrator', realm: 'acme', email: 'olga@acme.example' },
    })
    const get = async (path: string) => (await send(server, 'GET', `/admin/api${path}`, { headers })).body
    expect((await get('/realms'))['realms']).toMatchObject([{ name: 'acme' }])
    expect((await get('/realms/acme/users'))['users']).toHaveLength(2)
    expect(await get('/realms/other/users')).toMatchObject({ code: 'NOT_FOUND' })
    expect(await get('/check')).toMatchObject({ code: 'FORBIDDEN' })
    expect(await get('/server')).toMatchObject({ code: 'FORBIDDEN' })
    expect(
      (await send(server, 'POST', '/admin/api/realms', { headers, body: { ...realm, name: 'third' } }))
        .status,
    ).toBe(403)
    const member = await signIn(server, { ...credentials, email: 'm@acme.example' })
    expect(member).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(member.cookie).toBeUndefined()
    expect((await signIn(server, { ...credentials, password: 'wrong' })).status).toBe(401)
    expect((await signIn(server, { ...credentials, realm: 'nowhere' })).status).toBe(401)
  })

  test('ends when the administrator stops being one', async () => {
    const server = await boot()
    await server.admin('POST', '/realms', realm)
    const fields = { email: 'a@acme.example', full_name: 'A', password: 'a password', role: 200 }
    const { user_id } = await server.admin('POST', '/realms/acme/users', fields)
    const { headers } = await signIn(server, {
      realm: 'acme',
      email: 'a@acme.example',
      password: 'a password',
    })
    expect((await send(server, 'GET', '/admin/api/session', { headers })).status).toBe(200)
    const { base_url, email, api_key } = await server.admin('POST', '/realms/acme/access')
    await fetch(`${base_url}/api/v1/users/${user_id}`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}` },
      body: new URLSearchParams({ role: '400' }),
    })
    expect((await send(server, 'GET', '/admin/api/session', { headers })).status).toBe(401)
  })

  test.each([
    ['nothing', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['an invented cookie', { cookie: 'parley_admin_PORT=eyJraW5kIjoib3BlcmF0b3IifQ.c2ln' }],
    ['a cookie that is not encoded', { cookie: 'parley_admin_PORT=%' }],
    ['a cookie without a signature', { cookie: 'parley_admin_PORT=eyJraW5kIjoib3BlcmF0b3IifQ' }],
  ])('%s does not open it', async (_what, given) => {
    const server = await boot()
    const port = new URL(server.url).port
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('PORT', port)]),
    )
    for (const path of ['/session', '/server', '/realms', '/activity', '/check']) {
      const reply = await send(server, 'GET', `/admin/api${path}`, { headers })
      expect(reply).toMatchObject({ status: 401, body: { result: 'error', code: 'UNAUTHORIZED' } })
    }
  })
})

describe('who may enter', () => {
  test.each(['evil.example', 'demo.evil.example', '127.0.0.1.evil.example'])(
    'not under the name %s',
    async (host) => {
      const server = await boot()
      const reply = await send(server, 'GET', '/admin/api/realms', {
        headers: { host, authorization: `Bearer ${server.running.adminToken}` },
      })
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      expect((await send(server, 'GET', '/admin/', { headers: { host } })).status).toBe(403)
    },
  )

  test.each(['localhost:1', 'demo.localhost', '192.168.0.7:9870', '[::1]:9870', 'office.local', 'chat.lan'])(
    'under the name %s',
    async (host) => {
      const server = await boot()
      const reply = await send(server, 'GET', '/admin/api/realms', {
        headers: { host, authorization: `Bearer ${server.running.adminToken}` },
      })
      expect(reply.status).toBe(200)
    },
  )

  test('not from another site, even with the cookie', async () => {
    const server = await boot()
    const { headers } = await signIn(server, { token: server.running.adminToken })
    const from = (origin: string) =>
      send(server, 'POST', '/admin/api/realms', { headers: { ...headers, origin }, body: realm })
    expect(await from('http://evil.example')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await from('null')).toMatchObject({ status: 403 })
    expect((await from(server.url)).status).toBe(200)
  })
})

describe('realms', () => {
  test('are made with an owner, who can be written to at once', async () => {
    const server = await boot()
    const made = await server.admin('POST', '/realms', realm)
    expect(made).toMatchObject({
      realm: { name: 'acme', display_name: 'Acme', users: 1, channels: 0, messages: 0, is_default: true },
      owner: { email: 'olga@acme.example', api_key: expect.stringMatching(/^\w{32}$/) },
    })
    expect((await server.admin('GET', '/realms'))['realms']).toEqual([made['realm']])
  })

  test('are furnished, where that is asked for, with a channel for everybody and words of welcome', async () => {
    const server = await boot()
    const { realm: made, owner } = await server.admin('POST', '/realms', { ...realm, furnished: true })
    expect(made).toMatchObject({ users: 1, channels: 1, messages: 2 })
    const ann = await server.admin('POST', '/realms/acme/users', {
      email: 'ann@acme.example',
      full_name: 'Ann',
    })
    for (const { email, user_id, api_key } of [owner, ann]) {
      const person = new Person(`${server.url}/r/acme`, email, api_key, user_id)
      const { subscriptions, ...rest } = await person.listen({ fetch_event_types: ['subscription', 'realm'] })
      expect(subscriptions).toMatchObject([
        { name: 'general', invite_only: false, creator_id: owner.user_id },
      ])
      expect(rest['realm_new_stream_announcements_stream_id']).toBe(subscriptions[0].stream_id)
      const found = async (narrow: unknown[]) =>
        (await person.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow }))['messages']
      expect(await found([['channel', 'general']])).toMatchObject([
        { subject: 'welcome', sender_full_name: 'Notification Bot' },
      ])
      expect(await found([['is', 'dm']])).toMatchObject([
        { content: expect.stringContaining('welcome to <strong>Acme</strong>') },
      ])
    }
  })

  test.each([
    [{ name: 'Acme' }, 'BAD_REQUEST'],
    [{ name: '-acme' }, 'BAD_REQUEST'],
    [{ name: 'x'.repeat(41) }, 'BAD_REQUEST'],
    [{ name: 'admin' }, 'BAD_REQUEST'],
    [{ name: 'taken' }, 'BAD_REQUEST'],
    [{ owner_email: 'nobody' }, 'BAD_REQUEST'],
    [{ owner_name: '' }, 'BAD_REQUEST'],
    [{ owner_password: 'short' }, 'BAD_REQUEST'],
  ])('are refused with %j', async (wrong, code) => {
    const server = await boot()
    await server.admin('POST', '/realms', { ...realm, name: 'taken' })
    expect(await server.admin('POST', '/realms', { ...realm, ...wrong })).toMatchObject({
      result: 'error',
      code,
    })
    expect((await server.admin('GET', '/realms'))['realms']).toHaveLength(1)
  })
})

test('users are made with a role, their keys renewed, and grants given', async () => {
  const server = await boot()
  const owner = await server.owner()
  const made = await server.admin('POST', '/realms/test/users', {
    email: 'ann@test.example',
    full_name: 'Ann',
    role: 300,
  })
  const old = await server.as('ann')
  expect(made).toMatchObject({ user_id: old.id, api_key: old.apiKey })
  expect(await server.admin('GET', `/realms/test/users/${old.id}/api_key`)).toMatchObject({
    api_key: old.apiKey,
  })
  const { api_key } = await server.admin('POST', `/realms/test/users/${old.id}/api_key`)
  await old.refused('GET', '/users/me', {}, 'INVALID_API_KEY', 401)
  expect((await server.as('ann')).apiKey).toBe(api_key)
  await server.admin('POST', `/realms/test/users/${old.id}/grants`, {
    permission: 'can_change_user_emails',
    granted: true,
  })
  expect((await server.admin('GET', '/realms/test/users'))['users']).toMatchObject([
    { user_id: owner.id, role: 100, can_create_users: true, can_change_user_emails: false },
    { user_id: old.id, role: 300, can_create_users: false, can_change_user_emails: true },
  ])
})

test('addresses and passwords are changed by those who may', async () => {
  const server = await boot()
  await server.admin('POST', '/realms', realm)
  const person = (name: string, role: number) => ({
    email: `${name}@acme.example`,
    full_name: name,
    password: 'a password',
    role,
  })
  const { user_id } = await server.admin('POST', '/realms/acme/users', person('mia', 400))
  await server.admin('POST', '/realms/acme/users', person('ada', 200))
  await server.admin('PATCH', `/realms/acme/users/${user_id}`, {
    email: 'new@acme.example',
    password: 'another password',
  })
  const asMember = { realm: 'acme', email: 'new@acme.example', password: 'another password' }
  // Known, but no administrator.
  expect((await signIn(server, asMember)).status).toBe(403)
  expect((await signIn(server, { ...asMember, password: 'a password' })).status).toBe(401)

  const { headers } = await signIn(server, {
    realm: 'acme',
    email: 'ada@acme.example',
    password: 'a password',
  })
  const patch = (id: number, body: object) =>
    send(server, 'PATCH', `/admin/api/realms/acme/users/${id}`, { headers, body })
  expect((await patch(user_id, { email: 'x@acme.example' })).status).toBe(400)
  expect((await patch(user_id, { password: 'short' })).status).toBe(400)
  expect((await patch(user_id, { password: 'a third password' })).status).toBe(200)
  const { users } = await server.admin('GET', '/realms/acme/users')
  const olga = users.find((user: Body) => user['email'] === 'olga@acme.example')
  expect((await patch(olga.user_id, { password: 'a third password' })).status).toBe(400)
  expect(
    (await signIn(server, { realm: 'acme', email: 'olga@acme.example', password: 'a password' })).status,
  ).toBe(200)
})

describe('activity', () => {
  test('shows queues and events live, and never what people wrote', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const stream = await fetch(`${server.url}/admin/api/activity`, {
      headers: { authorization: `Bearer ${server.running.adminToken}` },
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const events = readEvents(stream)
    expect(await events.next('snapshot')).toMatchObject({
      queues: [
        {
          queue_id: ann.queueId,
          realm: 'test',
          user_id: ann.id,
          user_email: ann.email,
          client: 'node',
          polling: false,
        },
      ],
    })
    await ann.tell([ann], 'a secret')
    const { entries } = await events.next('tail')
    expect(entries).toMatchObject([
      { type: 'message', realm: 'test', user_ids: [ann.id], recipients: 1, queues: 1 },
    ])
    expect(JSON.stringify(entries)).not.toContain('a secret')
    await ann.join('general')
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    const id = await ann.say('general', 'a quiet topic', 'a secret')
    await ann.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await ann.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
    await ann.post(`/messages/${id}/typing`, { op: 'start' })
    await ann.post('/typing', { op: 'start', type: 'channel', stream_id, topic: 'a quiet topic' })
    await ann.delete(`/messages/${id}`)
    const shown: unknown[] = []
    while (!JSON.stringify(shown).includes('delete_message'))
      shown.push((await events.next('tail'))['entries'])
    expect(JSON.stringify(shown)).not.toMatch(/a secret|a quiet topic/)
    expect(await events.next('rate')).toMatchObject({
      messages: expect.any(Number),
      deliveries: expect.any(Number),
    })
    await ann.events()
    await ann.events()
    await events.until('queues', ({ changed }) => changed[0]?.last_acknowledged_id >= 0)
    await server.admin('DELETE', `/queues/${ann.queueId}`)
    await events.until('queues', ({ removed }) => removed.includes(ann.queueId))
    await ann.refused('GET', '/events', { queue_id: ann.queueId }, 'BAD_EVENT_QUEUE_ID')
    expect(await server.admin('DELETE', `/queues/${ann.queueId}`)).toMatchObject({ code: 'NOT_FOUND' })
    await events.close()
  })

  test("of one realm says nothing of another's", async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const zoe = await server.listenAs('zoe', 'member', {}, 'other')
    const stream = await fetch(`${server.url}/admin/api/activity?realm=test`, {
      headers: { authorization: `Bearer ${server.running.adminToken}` },
    })
    const events = readEvents(stream)
    expect((await events.next('snapshot'))['queues']).toHaveLength(1)
    await zoe.tell([zoe], 'theirs')
    expect(await events.next('rate')).toMatchObject({ messages: 0, deliveries: 0 })
    await ann.tell([ann], 'ours')
    expect((await events.next('tail'))['entries']).toMatchObject([{ realm: 'test' }])
    await events.close()
  })
})

test('check tells of files that are missing', async () => {
  const server = await boot()
  const owner = await server.owner()
  expect(await server.admin('GET', '/check')).toMatchObject({ healthy: true, problems: [] })
  const { database } = server.running.server
  database.run(
    `INSERT INTO attachments (realm_id, owner_id, name, path_id, content_type, size, create_time)
     VALUES ((SELECT realm_id FROM users WHERE id = ?1), ?1, 'a.txt', '1/ab/cdef/a.txt', 'text/plain', 1, 0)`,
    [owner.id],
  )
  expect(await server.admin('GET', '/check')).toMatchObject({
    healthy: false,
    problems: [expect.stringContaining('a.txt')],
  })
})

/** Reads server-sent events, one name at a time. */
function readEvents(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let buffer = ''
  const next = async (name: string): Promise<Body> => {
    for (;;) {
      const end = buffer.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`The stream ended before ${name}`)
        buffer += decoder.decode(value, { stream: true })
        continue
      }
      const [event = '', data = ''] = buffer.slice(0, end).split('\n')
      buffer = buffer.slice(end + 2)
      if (event === `event: ${name}`) return JSON.parse(data.slice('data: '.length)) as Body
    }
  }
  return {
    next,
    until: async (name: string, holds: (data: Body) => boolean) => {
      while (!holds(await next(name)));
    },
    close: () => reader.cancel(),
  }
}
