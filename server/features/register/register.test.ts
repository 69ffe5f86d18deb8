import { describe, expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'
import { contract, schemaProblems } from '../../test/contract.ts'

describe('POST /register', () => {
  test('brings the blocks that were asked for', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.join('general')
    const own = ['queue_id', 'last_event_id', 'svc_feature_level', 'svc_version', 'svc_merge_base']
    const keys = async (params: Record<string, unknown>) => {
      const { result: _result, msg: _msg, ...snapshot } = await ann.post('/register', params)
      return Object.keys(snapshot).filter((key) => !own.includes(key))
    }
    expect(await keys({ fetch_event_types: [] })).toEqual([])
    expect(await keys({ fetch_event_types: ['toString', '__proto__', 'constructor', 'nothing'] })).toEqual([])
    expect(await keys({ event_types: ['message', 'nonsense'] })).toEqual(['max_message_id'])
    expect(await keys({ event_types: ['message'], fetch_event_types: ['stream'] })).toEqual(['streams'])
    expect(await keys({ fetch_event_types: ['subscription'] })).toEqual([
      'subscriptions',
      'unsubscribed',
      'never_subscribed',
    ])
    expect(await ann.post('/register')).toMatchObject({ svc_feature_level: 370, last_event_id: -1 })
  })

  describe.skipIf(!contract)('has every field of the contract, and no other', () => {
    const known = (contract?.schemas.$defs['Register']?.['properties'] ?? {}) as Record<
      string,
      { fetch?: string[]; note?: string }
    >
    // Of demo organizations that are deleted after a while; there are none here.
    const never = ['demo_organization_scheduled_deletion_date']
    const fieldsOf = (wanted: (fetch: readonly string[], name: string) => boolean) =>
      Object.entries(known)
        .filter(([name, { fetch }]) => !never.includes(name) && (fetch === undefined || wanted(fetch, name)))
        .map(([name]) => name)
        .sort()
    const legacySettings = ['update_display_settings', 'update_global_notifications']

    test.each(['owner', 'member', 'guest'] as const)('for a %s', async (role) => {
      const server = await boot()
      const person = await server.as('ann', role)
      await (await server.owner()).join('general', { principals: [person.id] })
      const fields = async (params: Record<string, unknown>) => {
        const { result: _result, msg: _msg, ...snapshot } = await person.post('/register', params)
        expect(schemaProblems('Register', snapshot)).toBeNull()
        return Object.keys(snapshot).sort()
      }
      expect(await fields({ include_subscribers: true })).toEqual(fieldsOf(() => true))
      // Those who have the settings in one object do not get them one by one too.
      expect(await fields({ client_capabilities: { user_settings_object: true } })).toEqual(
        fieldsOf((fetch) => !fetch.some((type) => legacySettings.includes(type))),
      )
    })

    test('each with its fetch type', async () => {
      const ann = await (await boot()).as('ann')
      const types = new Set(Object.values(known).flatMap(({ fetch = [] }) => fetch))
      for (const type of types) {
        const {
          result: _result,
          msg: _msg,
          ...snapshot
        } = await ann.post('/register', {
          fetch_event_types: [type],
        })
        const own = fieldsOf((fetch) => fetch.every((one) => one === type))
        expect(Object.keys(snapshot).sort(), type).toEqual(own)
      }
    })
  })

  test('archived channels are for clients that know of them', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.join('old')
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    await ann.delete(`/streams/${stream_id}`)
    const fetch_event_types = ['subscription', 'stream']
    expect(await ann.post('/register', { fetch_event_types })).toMatchObject({
      subscriptions: [],
      streams: [],
    })
    const client_capabilities = { archived_channels: true }
    expect(await ann.post('/register', { fetch_event_types, client_capabilities })).toMatchObject({
      subscriptions: [{ name: 'old', is_archived: true }],
    })
  })

  test.each([
    { event_types: 'message' },
    { event_types: [1] },
    { narrow: [['has', 'image']] },
    { narrow: [['is', 'followed']] },
    { narrow: [['is', 'toString']] },
    { client_capabilities: { archived_channels: 'yes' } },
    { apply_markdown: 'maybe' },
  ])('%j is refused', async (params) => {
    const ann = await (await boot()).as('ann')
    await ann.refused('POST', '/register', params, 'BAD_REQUEST')
  })

  test('takes credentials', async () => {
    const owner = await (await boot()).owner()
    const response = await fetch(`${owner.base}/api/v1/register`, { method: 'POST' })
    expect(response.status).toBe(401)
  })
})

describe('GET /events', () => {
  test('without a queue registers one', async () => {
    const ann = await (await boot()).as('ann')
    const { queue_id, events } = await ann.get('/events', { event_types: ['message'] })
    expect(events).toEqual([])
    await ann.tell([ann], 'note')
    const reply = await ann.get('/events', { queue_id, last_event_id: -1, dont_block: true })
    expect(reply['events']).toMatchObject([{ id: 0, type: 'message' }])
  })

  test('waits for an event', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.as('bob')
    await ann.events()
    const poll = ann.events({ block: true })
    await bob.tell([ann], 'wake up')
    expect(await poll).toMatchObject([{ type: 'message', message: { content: 'wake up' } }])
  })

  test('all that one change caused comes in one reply', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann', 'member', { event_types: ['stream', 'subscription'] })
    const bob = await server.as('bob')
    const poll = ann.events({ block: true })
    await waitFor(() => [...server.running.server.hub.all()].some(({ poll }) => poll !== null))
    await bob.join('general', { principals: [ann.id, bob.id] })
    expect(await poll).toMatchObject([
      { type: 'stream', op: 'create' },
      { type: 'subscription', op: 'add' },
    ])
  })

  test('ends with a heartbeat where nothing happens, and the ids go on', async () => {
    const server = await boot({ heartbeatSeconds: 1 })
    const ann = await server.listenAs('ann')
    const { events } = await ann.get('/events', { queue_id: ann.queueId, last_event_id: -1 })
    expect(events).toEqual([{ type: 'heartbeat', id: 0 }])
    await ann.tell([ann], 'note')
    const next = await ann.get('/events', { queue_id: ann.queueId, last_event_id: 0 })
    expect(next['events']).toMatchObject([{ type: 'message', id: 1 }])
  })

  test('events stay until they are acknowledged', async () => {
    const ann = await (await boot()).listenAs('ann')
    const ids = async (last_event_id: number) => {
      const { events } = await ann.get('/events', { queue_id: ann.queueId, last_event_id, dont_block: true })
      return events.map(({ id }: { id: number }) => id)
    }
    for (const note of ['a', 'b', 'c']) await ann.tell([ann], note)
    expect(await ids(-1)).toEqual([0, 1, 2])
    expect(await ids(-1)).toEqual([0, 1, 2])
    expect(await ids(1)).toEqual([2])
    expect(await ids(2)).toEqual([])
    const poll = (last_event_id: number) => ({ queue_id: ann.queueId, last_event_id, dont_block: true })
    await ann.refused('GET', '/events', poll(0), 'BAD_REQUEST')
    await ann.refused('GET', '/events', poll(99), 'BAD_REQUEST')
    expect(await ids(2)).toEqual([])
  })

  test('a newer poll of the same queue ends the older one', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const poll = () => ann.get('/events', { queue_id: ann.queueId, last_event_id: -1 })
    const older = poll()
    await waitFor(() => [...server.running.server.hub.all()].some(({ poll }) => poll !== null))
    const newer = poll()
    expect((await older)['events']).toEqual([])
    await ann.tell([ann], 'note')
    expect((await newer)['events']).toMatchObject([{ type: 'message' }])
  })

  test("somebody else's queue is no queue", async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.as('bob')
    const other = await server.as('zoe', 'member', 'other')
    for (const person of [bob, other]) {
      const error = await person.refused(
        'GET',
        '/events',
        { queue_id: ann.queueId, dont_block: true },
        'BAD_EVENT_QUEUE_ID',
      )
      expect(error['queue_id']).toBe(ann.queueId)
      await person.refused('DELETE', '/events', { queue_id: ann.queueId }, 'BAD_EVENT_QUEUE_ID')
    }
    await ann.get('/events', { queue_id: ann.queueId, dont_block: true })
  })
})

describe('the end of a queue', () => {
  test('by DELETE /events, a waiting poll with it', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const waiting = ann.request('GET', '/events', { queue_id: ann.queueId, last_event_id: -1 })
    await waitFor(() => [...server.running.server.hub.all()].some(({ poll }) => poll !== null))
    await ann.delete('/events', { queue_id: ann.queueId })
    expect((await waiting).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: ann.queueId })
    await ann.refused('DELETE', '/events', { queue_id: ann.queueId }, 'BAD_EVENT_QUEUE_ID')
  })

  test('by idleness, not while it is polled', async () => {
    const server = await boot({ queueIdleSeconds: 1, heartbeatSeconds: 3 })
    const idle = await server.listenAs('ann')
    const busy = await server.listenAs('bob')
    const poll = busy.get('/events', { queue_id: busy.queueId, last_event_id: -1 })
    await waitFor(() => [...server.running.server.hub.all()].every(({ id }) => id !== idle.queueId))
    await idle.refused('GET', '/events', { queue_id: idle.queueId }, 'BAD_EVENT_QUEUE_ID')
    expect((await poll)['events']).toMatchObject([{ type: 'heartbeat' }])
  })

  test('by length: the queue is dropped, the others go on', async () => {
    const server = await boot({ maxQueueLength: 10 })
    const slow = await server.listenAs('ann')
    const quick = await server.listenAs('ann')
    for (let i = 0; i < 10; i += 1) {
      await slow.tell([slow], 'note')
      await quick.events()
    }
    await slow.get('/events', { queue_id: slow.queueId, dont_block: true })
    await slow.tell([slow], 'one more')
    await slow.refused('GET', '/events', { queue_id: slow.queueId }, 'BAD_EVENT_QUEUE_ID')
    expect(await quick.events()).toHaveLength(1)
  })

  test('by number: the one polled longest ago makes room', async () => {
    const server = await boot({ maxQueuesPerUser: 2 }, {})
    const bob = await server.listenAs('bob')
    const first = await server.listenAs('ann')
    const second = await server.listenAs('ann')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await first.events()
    const third = await server.listenAs('ann')
    await first.events()
    await third.events()
    await bob.events()
    await second.refused('GET', '/events', { queue_id: second.queueId }, 'BAD_EVENT_QUEUE_ID')
  })
})

test('stopping answers a waiting poll', async () => {
  const server = await boot()
  const ann = await server.listenAs('ann')
  const poll = ann.get('/events', { queue_id: ann.queueId, last_event_id: -1 })
  await waitFor(() => [...server.running.server.hub.all()].some(({ poll }) => poll !== null))
  await server.close()
  expect((await poll)['events']).toEqual([])
})

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
