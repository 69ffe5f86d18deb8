import { expect, test } from 'vitest'
import { boot, Person } from '../../test/boot.ts'
import { contract, schemaProblems } from '../../test/contract.ts'

async function lookedInto({ welcome = true } = {}) {
  const server = await boot()
  const owner = await server.owner()
  await owner.patch('/realm', { enable_spectator_access: true })
  await owner.join('open', { is_web_public: true })
  await owner.join('inside')
  await owner.say('open', 't', 'for all')
  if (!welcome) await owner.patch('/realm', { enable_spectator_access: false })
  return { server, owner, nobody: new Person(owner.base, '', '', 0) }
}

test('a snapshot without a queue', async () => {
  const { nobody, owner } = await lookedInto()
  await owner.post('/user_groups/create', { name: 'secret plan', description: '', members: [owner.id] })
  await owner.patch('/settings', { email: 'boss@example.org' })
  const snapshot = await nobody.post('/register')
  expect(snapshot).toMatchObject({
    queue_id: null,
    last_event_id: -1,
    svc_feature_level: 370,
    realm_name: 'test',
    streams: [{ name: 'open' }],
    subscriptions: [],
    never_subscribed: [{ name: 'open' }],
    user_id: -1,
    email: '',
    unread_msgs: { count: 0 },
    alert_words: [],
    presences: {},
    realm_bots: [],
    realm_domains: [],
    has_call_token: false,
  })
  expect(snapshot['realm_users']).toMatchObject([
    {
      user_id: owner.id,
      full_name: 'Owner of test',
      delivery_email: null,
      email: `user${owner.id}@test.local`,
    },
  ])
  expect(JSON.stringify(snapshot)).not.toMatch(/test\.example|example\.org|inside|secret plan/)
  const groups = snapshot['realm_user_groups'] as { is_system_group: boolean; members: number[] }[]
  expect(groups.length).toBeGreaterThan(0)
  for (const group of groups) expect(group).toMatchObject({ is_system_group: true, members: [] })
})

test.skipIf(!contract)('the same fields as for a user', async () => {
  const { nobody, owner } = await lookedInto()
  for (const user_settings_object of [true, false]) {
    const client_capabilities = { user_settings_object }
    const {
      result: _result,
      msg: _msg,
      ...snapshot
    } = await nobody.post('/register', { client_capabilities })
    expect(schemaProblems('Register', snapshot)).toBeNull()
    const { result: _done, msg: _said, ...known } = await owner.post('/register', { client_capabilities })
    expect(Object.keys(snapshot).sort()).toEqual(Object.keys(known).sort())
  }
})

test('only what is asked for, and nothing of messages, addresses or numbers of others', async () => {
  const { nobody, owner } = await lookedInto()
  const fetch_event_types = ['message', 'update_message_flags', 'realm_user', 'nonsense']
  const snapshot = await nobody.post('/register', { fetch_event_types, event_types: ['message'] })
  expect(snapshot).toMatchObject({ max_message_id: -1, unread_msgs: { streams: [] } })
  expect(snapshot).not.toHaveProperty('streams')
  const { messages } = await nobody.get('/messages', {
    narrow: [['channels', 'web-public']],
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
  })
  const written = (messages as { sender_id: number }[]).filter(({ sender_id }) => sender_id === owner.id)
  expect(written).toMatchObject([{ content: '<p>for all</p>', sender_email: `user${owner.id}@test.local` }])
  await nobody.refused('GET', '/events', { event_types: ['message'] }, 'UNAUTHORIZED', 401)
})

test('channels that are no longer open are gone', async () => {
  const { nobody, owner } = await lookedInto()
  const [{ stream_id }] = (await nobody.post('/register', { fetch_event_types: ['stream'] }))['streams']
  await owner.delete(`/streams/${stream_id}`)
  expect((await nobody.post('/register', { fetch_event_types: ['stream'] }))['streams']).toEqual([])
})

test('what only a user can have is refused', async () => {
  const { nobody } = await lookedInto()
  await nobody.refused('POST', '/register', { client_extavatar: true }, 'BAD_REQUEST')
  await nobody.refused('POST', '/register', { include_subscribers: true }, 'BAD_REQUEST')
  await nobody.post('/register', {
    client_extavatar: false,
    include_subscribers: false,
    fetch_event_types: [],
  })
})

test('nothing where the organization or the server lets nobody in', async () => {
  const { nobody } = await lookedInto({ welcome: false })
  await nobody.refused('POST', '/register', {}, 'UNAUTHORIZED', 401)
  const closed = await boot({ webPublicStreamsEnabled: false })
  const owner = await closed.owner()
  await new Person(owner.base, '', '', 0).refused('POST', '/register', {}, 'UNAUTHORIZED', 401)
})

test('wrong credentials are not the same as none', async () => {
  const { nobody, owner } = await lookedInto()
  const wrong = new Person(nobody.base, owner.email, 'x'.repeat(32), owner.id)
  expect((await wrong.request('POST', '/register')).status).toBe(401)
})
