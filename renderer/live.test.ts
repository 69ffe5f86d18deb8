import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, ConnectionError, RealmClient } from './api.ts'
import { reportLost, reportReachable } from './base/connection.ts'
import { follow, realmFeed } from './live.ts'
import { egChannel, egUser } from './test/eg.ts'

const registered = (more: object = {}) => ({
  queue_id: 'q',
  last_event_id: -1,
  realm_users: [egUser(1, 'Ann', { role: 100 }), egUser(2, 'Bob')],
  realm_non_active_users: [egUser(3, 'Cleo', { is_active: false })],
  subscriptions: [egChannel(1, 'general', { subscribers: [1, 2] })],
  unsubscribed: [],
  never_subscribed: [egChannel(2, 'design', { subscribers: [2] })],
  realm_user_groups: [],
  realm_bots: [],
  realm_linkifiers: [],
  custom_profile_fields: [],
  realm_default_streams: [],
  realm_emoji: {},
  streams: [],
  ...more,
})
type Registered = Parameters<typeof realmFeed.start>[0]
type LiveEvent = Parameters<typeof realmFeed.apply>[1]

const start = () => realmFeed.start(registered() as unknown as Registered, 1)
const after = (...events: object[]) =>
  events.reduce<ReturnType<typeof start>>(
    (state, event) => realmFeed.apply(state, event as LiveEvent),
    start(),
  )

test('the snapshot becomes one list of users and one of channels', () => {
  const state = start()
  expect([...state.users.values()].map(({ full_name, is_active }) => [full_name, is_active])).toEqual([
    ['Ann', true],
    ['Bob', true],
    ['Cleo', false],
  ])
  expect([...state.channels.values()].map(({ name }) => name).sort()).toEqual(['design', 'general'])
})

test('users come, change role, go and come back', () => {
  const state = after(
    { type: 'realm_user', op: 'add', person: egUser(4, 'Dan') },
    { type: 'realm_user', op: 'update', person: { user_id: 2, role: 200 } },
    { type: 'realm_user', op: 'update', person: { user_id: 1, is_active: false } },
    { type: 'realm_user', op: 'update', person: { user_id: 3, is_active: true } },
  )
  expect(state.users.get(4)?.full_name).toBe('Dan')
  expect(state.users.get(2)?.role).toBe(200)
  expect(state.users.get(1)?.is_active).toBe(false)
  expect(state.users.get(3)?.is_active).toBe(true)
})

test('groups come, fill and are nested', () => {
  const group = { id: 9, name: 'smiths', members: [1], direct_subgroup_ids: [] }
  const state = after(
    { type: 'user_group', op: 'add', group },
    { type: 'user_group', op: 'add_members', group_id: 9, user_ids: [2] },
  )
  expect(state.groups.get(9)?.members).toEqual([1, 2])
  expect(realmFeed.parameters['event_types']).toContain('user_group')
})

test('channels open, are renamed, fill and empty', () => {
  const state = after(
    { type: 'stream', op: 'create', streams: [egChannel(5, 'new')] },
    { type: 'stream', op: 'update', stream_id: 1, name: 'general', property: 'name', value: 'all' },
    { type: 'subscription', op: 'peer_add', stream_ids: [1, 5], user_ids: [7, 8] },
    { type: 'subscription', op: 'peer_remove', stream_ids: [1], user_ids: [2] },
  )
  expect(state.channels.get(5)?.subscribers).toEqual([7, 8])
  expect(state.channels.get(1)).toMatchObject({ name: 'all', subscribers: [1, 7, 8] })
})

test('an archived channel stays to be seen as archived', () => {
  const state = after({ type: 'stream', op: 'delete', stream_ids: [1, 99], streams: [] })
  expect(state.channels.get(1)).toMatchObject({ name: 'general', is_archived: true })
  expect(state.channels.get(2)?.is_archived).toBe(false)
  expect(state.channels.has(99)).toBe(false)
})

test('heartbeats and events from the future change nothing', () => {
  const state = start()
  expect(realmFeed.apply(state, { id: 1, type: 'heartbeat' })).toBe(state)
  expect(realmFeed.apply(state, { id: 2, type: 'teleport' } as unknown as LiveEvent)).toBe(state)
})

/** A client whose replies the test writes down in order; after the last one it waits for ever. */
function scripted(...replies: (object | Error)[]) {
  const client = new RealmClient('demo')
  vi.spyOn(client, 'access').mockResolvedValue({
    base_url: '',
    user_id: 1,
    email: '',
    api_key: '',
    role: 100,
  })
  const made: string[] = []
  vi.spyOn(client, 'call').mockImplementation(async (method, path, parameters = {}, options = {}) => {
    made.push(
      `${method} ${path}${'last_event_id' in parameters ? ` after ${String(parameters.last_event_id)}` : ''}`,
    )
    if (method === 'DELETE') return {} as never
    const reply = replies.shift()
    if (reply instanceof Error) throw reply
    if (reply) return reply as never
    return new Promise<never>((_resolve, reject) =>
      options.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    )
  })
  const stop = new AbortController()
  const names: (string | undefined)[] = []
  const problems: (string | undefined)[] = []
  const done = follow(
    client,
    realmFeed,
    {
      state: (state) => names.push(state.users.get(2)?.full_name),
      problem: (error) => problems.push(error?.message),
    },
    stop.signal,
  )
  return { made, names, problems, stop, done }
}
const renamed = (id: number, full_name: string) => ({
  events: [{ id, type: 'realm_user', op: 'update', person: { user_id: 2, full_name } }],
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('register, poll, acknowledge by the next poll, and leave politely', async () => {
  const { made, names, stop, done } = scripted(registered(), renamed(3, 'Robert'), renamed(7, 'Rob'))
  await vi.advanceTimersByTimeAsync(0)
  expect(made).toEqual([
    'POST /register',
    'GET /events after -1',
    'GET /events after 3',
    'GET /events after 7',
  ])
  expect(names).toEqual(['Bob', 'Robert', 'Rob'])
  stop.abort()
  await done
  expect(made.at(-1)).toBe('DELETE /events')
})

test('a lost queue starts over at once, without a word', async () => {
  const lost = new ApiError(400, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID: q')
  const { made, names, problems } = scripted(registered(), lost, registered({ queue_id: 'r' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(made.filter((call) => call === 'POST /register')).toHaveLength(2)
  expect(names).toEqual(['Bob', 'Bob'])
  expect(problems.filter(Boolean)).toEqual([])
})

test('a broken line keeps the queue and polls on when the server answers again', async () => {
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('refused')))
  const { made, names } = scripted(registered(), new ConnectionError(), renamed(1, 'Robert'))
  reportLost()
  await vi.advanceTimersByTimeAsync(0)
  expect(made).toEqual(['POST /register', 'GET /events after -1'])
  reportReachable()
  await vi.advanceTimersByTimeAsync(0)
  expect(made.slice(2)).toEqual(['GET /events after -1', 'GET /events after 1'])
  expect(names).toEqual(['Bob', 'Robert'])
})

test('a refusal is told, asked again later, and taken back when it works', async () => {
  const refusal = new ApiError(500, 'INTERNAL_ERROR', 'Out of order.')
  const { made, problems } = scripted(refusal, refusal, registered())
  await vi.advanceTimersByTimeAsync(900)
  expect(problems).toEqual(['Out of order.'])
  await vi.advanceTimersByTimeAsync(3500)
  expect(made.filter((call) => call === 'POST /register')).toHaveLength(3)
  expect(problems).toEqual(['Out of order.', 'Out of order.', undefined])
})
