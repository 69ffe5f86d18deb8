import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { boot, Person } from '../../test/boot.ts'

const path = '/users/me/presence'

async function office(dataDir?: string) {
  const clock = { now: Date.UTC(2027, 3, 5) }
  const server = await boot(dataDir ? { dataDir } : {}, { now: () => clock.now })
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const pass = (seconds: number) => {
    clock.now += seconds * 1000
    return Math.floor(clock.now / 1000)
  }
  return { server, ann, bob, clock, pass }
}

test('who comes is told to the others, in both forms of the answers', async () => {
  const { ann, bob, pass, server } = await office()
  const writes = () => server.running.server.database.sequence
  await bob.listen({ event_types: ['presence'] })
  const first = pass(0)
  await ann.post(path, { status: 'active', ping_only: true })
  const before = writes()
  pass(60)
  const asked = await ann.post(path, { status: 'active', last_update_id: -1 })
  expect(asked['presences']).toEqual({
    [ann.id]: { active_timestamp: first + 60, idle_timestamp: first + 60 },
  })
  expect(writes(), 'a ping is no write').toBe(before)
  expect(await bob.events()).toMatchObject([
    {
      type: 'presence',
      user_id: ann.id,
      email: ann.email,
      presence: { website: { client: 'website', status: 'active', timestamp: first, pushable: false } },
    },
  ])
  const last = asked['presence_last_update_id']
  expect(await ann.post(path, { status: 'idle', last_update_id: last })).toMatchObject({
    presences: { [ann.id]: {} },
  })
  const answer = await bob.post(path, { status: 'idle' })
  const shared = { client: 'website', status: 'active', timestamp: first + 60 }
  expect(answer['presences'][ann.email]).toEqual({
    website: { ...shared, pushable: false },
    aggregated: shared,
  })
  const legacy = await bob.get('/realm/presence')
  expect(legacy['presences'][ann.email].aggregated).toEqual(shared)
  const one = { status: 'active', timestamp: first + 60 }
  for (const who of [ann.id, ann.email]) {
    expect(await bob.get(`/users/${who}/presence`)).toMatchObject({
      presence: { website: one, aggregated: one },
    })
  }
  expect(await bob.post('/register', { fetch_event_types: ['presence'], slim_presence: true })).toMatchObject(
    {
      presences: { [ann.id]: { active_timestamp: first + 60 } },
      presence_last_update_id: expect.any(Number),
      server_timestamp: first + 60,
    },
  )
  pass(15 * 86_400)
  expect(await bob.post('/register', { fetch_event_types: ['presence'] })).toMatchObject({ presences: {} })
  expect(
    (await bob.post('/register', { fetch_event_types: ['presence'], presence_history_limit_days: 16 }))[
      'presences'
    ],
  ).toHaveProperty([ann.email])
})

test('is kept over a restart, and its numbers go on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { server, ann, bob, clock } = await office(dataDir)
  const { presence_last_update_id: last } = await ann.post(path, { status: 'active' })
  await server.close()
  const again = await boot({ dataDir }, { now: () => clock.now + 1000 })
  const back = new Person(`${again.url}/r/test`, bob.email, bob.apiKey, bob.id)
  const { presences } = await back.post('/register', { fetch_event_types: ['presence'], slim_presence: true })
  expect(presences).toHaveProperty([String(ann.id)])
  const asked = await back.post(path, { status: 'idle', last_update_id: last })
  expect(Object.keys(asked['presences'])).toEqual([String(bob.id)])
  expect(asked['presence_last_update_id']).toBeGreaterThan(last)
})

test('is not noted of those who do not want it, nor shown', async () => {
  const { ann, bob } = await office()
  await bob.listen({ event_types: ['presence'] })
  await bob.post(path, { status: 'active' })
  await bob.events()
  await ann.post(path, { status: 'active' })
  await bob.events()
  await ann.post('/users/me/status', { away: true })
  expect(await bob.post(path, { status: 'idle' })).toMatchObject({ presences: {} })
  expect((await bob.get('/realm/presence'))['presences']).not.toHaveProperty([ann.email])
  await bob.refused('GET', `/users/${ann.id}/presence`, {}, 'BAD_REQUEST')
  await ann.post(path, { status: 'active' })
  expect(await bob.events()).toEqual([])
  await bob.refused('GET', '/users/4711/presence', {}, 'BAD_REQUEST')
  await bob.refused('POST', path, { status: 'here' }, 'BAD_REQUEST')
  await bob.refused('POST', path, {}, 'REQUEST_VARIABLE_MISSING')
})
