import { describe, expect, test } from 'vitest'
import { boot, Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

/** What follows for system groups is tried with user groups. */
const listened = { event_types: ['realm_user', 'subscription'] }

describe('GET /users', () => {
  test('lists everybody, and pictures only where the client cannot compute them', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await server.as('gus', 'guest')
    const { members } = await ann.get('/users')
    expect(members.map((user: { email: string }) => user.email)).toEqual([
      'owner@test.example',
      'ann@test.example',
      'gus@test.example',
    ])
    expect(members[1]).toMatchObject({
      user_id: ann.id,
      delivery_email: 'ann@test.example',
      full_name: 'Ann',
      role: 400,
      is_active: true,
      is_bot: false,
      bot_type: null,
      avatar_url: null,
    })
    expect(members[0]).toMatchObject({ is_owner: true, is_admin: true, role: 100 })
    expect(members[2]).toMatchObject({ is_guest: true, role: 600 })
    expect(members[0]).not.toHaveProperty('profile_data')
    const drawn = await ann.get('/users', { client_extavatar: false, include_custom_profile_fields: true })
    expect(drawn['members'][1]).toMatchObject({
      avatar_url: expect.stringContaining('/avatar/'),
      profile_data: {},
    })
  })

  test("never another realm's", async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await server.as('zoe', 'member', 'other')
    const { members } = await ann.get('/users')
    expect(members).toHaveLength(2)
  })
})

describe('POST /users', () => {
  const fields = { email: 'new@test.example', full_name: 'New Person', password: 'correct horse' }

  test('creates an account that can sign in, and everybody hears of it', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.join('general', { is_default_stream: true })
    await owner.listen(listened)
    const ann = await server.listenAs('ann', 'member', listened)
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await owner.events()
    const { user_id } = await owner.post('/users', fields)
    const added = { type: 'realm_user', op: 'add', person: { user_id, full_name: 'New Person', role: 400 } }
    const peer = { type: 'subscription', op: 'peer_add', user_ids: [user_id] }
    expect(await owner.events()).toMatchObject([added, peer])
    expect(await ann.events()).toMatchObject([added, peer])
    expect(await stranger.events()).toEqual([])
    const signedIn = await ann.post('/fetch_api_key', {
      username: 'NEW@test.example',
      password: 'correct horse',
    })
    expect(signedIn).toMatchObject({ user_id, email: 'new@test.example' })
    expect(signedIn['api_key']).toMatch(/^[A-Za-z0-9]{32}$/)
  })

  test('takes an administrator who was granted it', async () => {
    const server = await boot()
    await server.owner()
    const ann = await server.as('ann')
    await ann.refused('POST', '/users', fields, 'BAD_REQUEST')
    const bea = await server.as('bea', 'administrator')
    await bea.post('/users', fields)
    const revoke = { permission: 'can_create_users', granted: false }
    await server.admin('POST', `/realms/test/users/${bea.id}/grants`, revoke)
    await bea.refused('POST', '/users', { ...fields, email: 'another@test.example' }, 'BAD_REQUEST')
  })

  test.each([
    ['an address in use', { email: 'OWNER@test.example' }],
    ['no address', { email: 'nobody' }],
    ['an empty name', { full_name: '  ' }],
    ['a name that breaks mentions', { full_name: 'Ann**' }],
    ['a name that reads as a mention with an id', { full_name: 'Ann|12' }],
    ['a name that is too long', { full_name: 'x'.repeat(101) }],
    ['a short password', { password: '12345' }],
  ])('refuses %s and changes nothing', async (_what, wrong) => {
    const owner = await (await boot()).owner()
    await owner.listen()
    await owner.refused('POST', '/users', { ...fields, ...wrong }, 'BAD_REQUEST')
    expect(await owner.events()).toEqual([])
    expect((await owner.get('/users'))['members']).toHaveLength(1)
  })
})

describe('roles', () => {
  test('a change reaches everybody in the realm', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann', 'member', listened)
    const bob = await server.listenAs('bob', 'member', listened)
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await ann.events()
    await owner.patch(`/users/${ann.id}`, { role: 300, full_name: 'Ann B.' })
    const events = [
      { type: 'realm_user', op: 'update', person: { user_id: ann.id, role: 300 } },
      { type: 'realm_user', op: 'update', person: { user_id: ann.id, full_name: 'Ann B.' } },
    ]
    expect(await ann.events()).toMatchObject(events)
    expect(await bob.events()).toMatchObject(events)
    expect(await stranger.events()).toEqual([])
    await owner.patch(`/users/${ann.id}`, { role: 300 })
    expect(await bob.events()).toEqual([])
  })

  test('only owners make and unmake owners, and one always stays', async () => {
    const server = await boot()
    const owner = await server.owner()
    const admin = await server.as('adam', 'administrator')
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    await admin.refused('PATCH', `/users/${ann.id}`, { role: 100 }, 'BAD_REQUEST')
    await admin.refused('PATCH', `/users/${owner.id}`, { role: 200 }, 'BAD_REQUEST')
    await owner.refused('PATCH', `/users/${owner.id}`, { role: 200 }, 'BAD_REQUEST')
    await owner.refused('PATCH', `/users/${gus.id}`, { role: 200 }, 'BAD_REQUEST')
    await owner.refused('PATCH', `/users/${ann.id}`, { role: 250 }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/users/${ann.id}`, { role: 200 }, 'BAD_REQUEST')
    await owner.patch(`/users/${ann.id}`, { role: 100 })
    await ann.patch(`/users/${owner.id}`, { role: 400 })
    await ann.refused('PATCH', `/users/${ann.id}`, { role: 400 }, 'BAD_REQUEST')
  })
})

describe('deactivation', () => {
  test('ends every access, and reactivation gives it back', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann', 'member', listened)
    await owner.listen(listened)
    await owner.delete(`/users/${ann.id}`)
    expect(await owner.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: ann.id, is_active: false } },
    ])
    await ann.refused('GET', '/users/me', {}, 'USER_DEACTIVATED', 401)
    await owner.post(`/users/${ann.id}/reactivate`)
    expect(await owner.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: ann.id, is_active: true } },
    ])
    await ann.get('/users/me')
    await ann.refused('GET', '/events', { queue_id: ann.queueId, dont_block: true }, 'BAD_EVENT_QUEUE_ID')
  })

  test('is for administrators, and spares the only owner', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const admin = await server.as('adam', 'administrator')
    await ann.refused('DELETE', `/users/${admin.id}`, {}, 'BAD_REQUEST')
    await admin.refused('DELETE', `/users/${owner.id}`, {}, 'BAD_REQUEST')
    await owner.refused('DELETE', `/users/${owner.id}`, {}, 'CANNOT_DEACTIVATE_LAST_USER')
    await owner.refused('DELETE', '/users/4711', {}, 'BAD_REQUEST')
    await ann.refused('POST', `/users/${admin.id}/reactivate`, {}, 'BAD_REQUEST')
  })
})

describe('keys', () => {
  test('a wrong password, an unknown address and an account without a password are refused alike', async () => {
    const owner = await (await boot()).owner()
    await owner.post('/users', { email: 'p@test.example', full_name: 'P', password: 'right one' })
    for (const [username, password] of [
      ['p@test.example', 'wrong one'],
      ['q@test.example', 'right one'],
      ['owner@test.example', ''],
    ]) {
      await owner.refused('POST', '/fetch_api_key', { username, password }, 'AUTHENTICATION_FAILED', 401)
    }
  })

  test('guessing is slowed down, for the right password too', async () => {
    const server = await boot({ dev: false })
    const guess = () =>
      fetch(`${server.url}/r/test/api/v1/fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username: 'owner@test.example', password: 'guess' }),
      })
    server.realm('test')
    const statuses = (await Promise.all(Array.from({ length: 12 }, guess))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    const refused = await guess()
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('a production server never gives a key for the asking', async () => {
    const server = await boot({ dev: false })
    server.realm('test')
    const body = new URLSearchParams({ username: 'owner@test.example' })
    const reply = await fetch(`${server.url}/r/test/api/v1/dev_fetch_api_key`, { method: 'POST', body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  })
})

test('GET /users/me tells of oneself', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.join('general')
  const id = await ann.say('general', 'hi', 'Hello')
  expect(await ann.get('/users/me')).toMatchObject({ user_id: ann.id, max_message_id: id, profile_data: {} })
})

test('clients that follow the events know what a new one is told', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await owner.join('general', { is_default_stream: true, principals: [ann.id, bob.id] })
  for (const watcher of [owner, bob]) {
    await expectConverges(watcher, async () => {
      await owner.patch(`/users/${ann.id}`, { role: 300, full_name: `Ann ${watcher.id}` })
      await owner.post('/users', {
        email: `n${watcher.id}@x.example`,
        full_name: 'N',
        password: 'a password',
      })
    })
    await expectConverges(watcher, () => owner.patch(`/users/${ann.id}`, { role: 600 }))
  }
})

describe('PATCH /users', () => {
  test('is the same by id and by address', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    await owner.patch('/users/ann@test.example', { full_name: 'Ann B.', role: 300 })
    await ann.patch('/settings', { email_address_visibility: 4 })
    await owner.refused('PATCH', '/users/ann@test.example', { role: 400 }, 'BAD_REQUEST')
    await owner.patch(`/users/user${ann.id}@test.local`, { role: 400 })
    expect((await owner.get(`/users/${ann.id}`))['user']).toMatchObject({ full_name: 'Ann B.', role: 400 })
    // The dummy address works with the host of the request as well, but nobody's real address stands for another.
    const { host, hostname } = new URL(server.url)
    for (const name of [host, hostname.toUpperCase()]) {
      const at = `/users/user${ann.id}@${encodeURIComponent(name)}`
      expect((await owner.get(at))['user']).toMatchObject({ user_id: ann.id })
      await owner.patch(at, { role: 400 })
    }
    await owner.refused('GET', `/users/user${ann.id}@elsewhere.example`, {}, 'BAD_REQUEST')
    const bob = await server.as('bob', 'moderator')
    await bob.refused('PATCH', `/users/user${ann.id}@test.local`, { role: 600 }, 'BAD_REQUEST')
    await bob.refused('PATCH', `/users/${ann.id}`, { full_name: 'X' }, 'BAD_REQUEST')
  })

  test('of an address takes an owner who was granted it', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const admin = await server.as('adam', 'administrator')
    const change = { new_email: 'new@test.example' }
    const grant = (id: number) =>
      server.admin('POST', `/realms/test/users/${id}/grants`, {
        permission: 'can_change_user_emails',
        granted: true,
      })
    await owner.refused('PATCH', `/users/${ann.id}`, change, 'BAD_REQUEST')
    await grant(admin.id)
    await admin.refused('PATCH', `/users/${ann.id}`, change, 'BAD_REQUEST')
    await grant(owner.id)
    await owner.refused('PATCH', `/users/${ann.id}`, { new_email: 'adam@test.example' }, 'BAD_REQUEST')
    await owner.patch(`/users/${ann.id}`, change)
    expect((await admin.get('/users/new@test.example'))['user'].user_id).toBe(ann.id)
    await ann.refused('GET', '/users/me', {}, 'INVALID_API_KEY', 401)
  })
})

describe('rules of the organization', () => {
  test('on names and addresses bind members, not administrators', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const { id } = server.realm('test')
    const { database } = server.running.server
    const settings = { name_changes_disabled: true, email_changes_disabled: true, require_unique_names: true }
    database.transact(() =>
      database.run('UPDATE realms SET settings = ? WHERE id = ?', [JSON.stringify(settings), id]),
    )
    await ann.refused('PATCH', '/settings', { full_name: 'Anna' }, 'BAD_REQUEST')
    await ann.refused('PATCH', '/settings', { email: 'anna@test.example' }, 'BAD_REQUEST')
    await ann.patch('/settings', { full_name: 'Ann', email: 'ann@test.example' })
    await owner.patch('/settings', { full_name: 'The owner', email: 'the-owner@test.example' })
    const renamed = new Person(owner.base, 'the-owner@test.example', owner.apiKey, owner.id)
    await renamed.refused('PATCH', `/users/${ann.id}`, { full_name: 'THE OWNER' }, 'BAD_REQUEST')
    const taken = { email: 'x@test.example', full_name: 'ann', password: 'a password' }
    await renamed.refused('POST', '/users', taken, 'BAD_REQUEST')
  })
})

test('one may leave, unless nobody would own the organization', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  await owner.refused('DELETE', '/users/me', {}, 'CANNOT_DEACTIVATE_LAST_USER')
  await ann.delete('/users/me')
  await ann.refused('GET', '/users/me', {}, 'USER_DEACTIVATED', 401)
})

test('a new key ends the old one, and the queues it opened', async () => {
  const server = await boot()
  const ann = await server.listenAs('ann')
  const { api_key } = await ann.post('/users/me/api_key/regenerate')
  await ann.refused('GET', '/users/me', {}, 'INVALID_API_KEY', 401)
  const renewed = new Person(ann.base, ann.email, api_key, ann.id)
  const gone = { queue_id: ann.queueId, dont_block: true }
  await renewed.refused('GET', '/events', gone, 'BAD_EVENT_QUEUE_ID')
})

test('signing in tells a deactivated account and organization apart, to who knows the password only', async () => {
  const server = await boot()
  const owner = await server.owner()
  const fields = { email: 'p@test.example', full_name: 'P', password: 'right one' }
  const { user_id } = await owner.post('/users', fields)
  await owner.delete(`/users/${user_id}`)
  const sign = (password: string) => ({ username: 'p@test.example', password })
  await owner.refused('POST', '/fetch_api_key', sign('right one'), 'USER_DEACTIVATED', 401)
  await owner.refused('POST', '/fetch_api_key', sign('wrong'), 'AUTHENTICATION_FAILED', 401)
  await owner.post(`/users/${user_id}/reactivate`)
  await owner.post('/fetch_api_key', sign('right one'))
  const { database } = server.running.server
  database.transact(() =>
    database.run('UPDATE realms SET is_deactivated = 1 WHERE id = ?', [server.realm('test').id]),
  )
  await owner.refused('POST', '/fetch_api_key', sign('right one'), 'REALM_DEACTIVATED', 401)
})
