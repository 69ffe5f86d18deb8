import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RealmContext } from '../../context.ts'
import { StorageUnavailableError } from '../../db/database.ts'
import { boot, Person, type TestServer } from '../../test/boot.ts'

/** An office with a clock that stands until it is moved. */
async function office(dataDir?: string) {
  const clock = { now: Date.UTC(2027, 3, 5) }
  const server = await boot(dataDir ? { dataDir } : {}, { now: () => clock.now })
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general')
  await bob.join('general')
  const [{ stream_id }] = (await ann.get('/streams'))['streams']
  const at = Math.floor(clock.now / 1000) + 60
  const fields = {
    type: 'channel',
    to: stream_id,
    topic: 'plans',
    content: 'Hi **all**',
    scheduled_delivery_timestamp: at,
  }
  const later = (seconds = 60) => pass(server, clock, seconds)
  return { server, ann, bob, stream_id: stream_id as number, at, fields, later, clock }
}

function pass(server: TestServer, clock: { now: number }, seconds: number): void {
  clock.now += seconds * 1000
  server.running.server.delivery.wake()
}

const schedule = async (person: Person, fields: object): Promise<number> =>
  (await person.post('/scheduled_messages', { ...fields }))['scheduled_message_id']

const waiting = async (person: Person) => (await person.get('/scheduled_messages'))['scheduled_messages']

const messagesOf = async (person: Person) =>
  (
    await person.get('/messages', {
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      apply_markdown: false,
      narrow: [],
    })
  )['messages']

describe('a scheduled message', () => {
  test('is told to its sender only, and sent when its time has come', async () => {
    const { server, ann, bob, stream_id, at, fields, later } = await office()
    await ann.listen({ event_types: ['scheduled_messages', 'message'] })
    await bob.listen({ event_types: ['scheduled_messages', 'message'] })
    const id = await schedule(ann, { ...fields, read_by_sender: true })
    const shown = {
      scheduled_message_id: id,
      type: 'stream',
      to: stream_id,
      topic: 'plans',
      content: 'Hi **all**',
      rendered_content: '<p>Hi <strong>all</strong></p>',
      scheduled_delivery_timestamp: at,
      failed: false,
    }
    expect(await ann.events()).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [shown] },
    ])
    expect(await waiting(ann)).toEqual([shown])
    expect(
      (await ann.post('/register', { fetch_event_types: ['scheduled_messages'] }))['scheduled_messages'],
    ).toEqual([shown])
    expect(await waiting(bob)).toEqual([])
    later(59)
    expect(await waiting(ann)).toHaveLength(1)
    later(1)
    const [removed] = await ann.events({ block: true })
    expect(removed).toMatchObject({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id })
    expect(await waiting(ann)).toEqual([])
    expect(await messagesOf(ann)).toMatchObject([{ content: 'Hi **all**', timestamp: at, flags: ['read'] }])
    expect(await bob.events()).toMatchObject([
      { type: 'message', message: { content: 'Hi **all**', subject: 'plans', sender_id: ann.id } },
    ])
    expect(server.running.server.storage.state).toEqual({ ok: true })
  })

  test('to people goes to them, and one to oneself waits unread', async () => {
    const { ann, bob, fields, later } = await office()
    const direct = { ...fields, type: 'direct', topic: 'ignored' }
    await schedule(ann, { ...direct, to: [bob.id], content: 'to bob', read_by_sender: true })
    await schedule(ann, { ...direct, to: [ann.id], content: 'to me' })
    expect(await waiting(ann)).toMatchObject([
      { type: 'private', to: [bob.id] },
      { type: 'private', to: [ann.id] },
    ])
    expect((await waiting(ann))[0]).not.toHaveProperty('topic')
    later()
    await vi.waitFor(async () => expect(await waiting(ann)).toEqual([]))
    expect(await messagesOf(ann)).toMatchObject([
      { content: 'to bob', flags: ['read'] },
      { content: 'to me', flags: [] },
    ])
    expect(await messagesOf(bob)).toMatchObject([{ content: 'to bob' }])
  })

  test('is changed and given up by its sender alone', async () => {
    const { ann, bob, at, stream_id, fields, later } = await office()
    const id = await schedule(ann, fields)
    const path = `/scheduled_messages/${id}`
    await ann.listen({ event_types: ['scheduled_messages'] })
    const old = new Person(ann.base, ann.email, ann.apiKey, ann.id)
    await old.listen({ event_types: ['scheduled_messages'], client_capabilities: {} })
    await ann.patch(path, { topic: '(no topic)', content: 'new' })
    expect(await ann.events()).toMatchObject([
      { op: 'update', scheduled_message: { topic: '', content: 'new', to: stream_id } },
    ])
    expect(await old.events()).toMatchObject([{ scheduled_message: { topic: 'general chat' } }])
    await ann.patch(path, { type: 'direct', to: [bob.id], scheduled_delivery_timestamp: at + 60 })
    const refuse = (params: object, code = 'BAD_REQUEST') => ann.refused('PATCH', path, { ...params }, code)
    await refuse({})
    await refuse({ type: 'channel', topic: 't' })
    await refuse({ type: 'channel', to: stream_id })
    await refuse({ type: 'channel', to: 4711, topic: 't' }, 'STREAM_DOES_NOT_EXIST')
    await refuse({ scheduled_delivery_timestamp: at - 60 })
    await refuse({ content: ' ' })
    for (const method of ['PATCH', 'DELETE']) {
      await bob.refused(method, path, { content: 'x' }, 'BAD_REQUEST', 404)
      await ann.refused(method, '/scheduled_messages/4711', { content: 'x' }, 'BAD_REQUEST', 404)
    }
    later()
    expect(await waiting(ann)).toMatchObject([{ type: 'private', to: [bob.id], content: 'new' }])
    await ann.delete(path)
    expect(await waiting(ann)).toEqual([])
    later()
    expect(await messagesOf(bob)).toEqual([])
  })

  test('that waits while the server is off is sent when it runs again, once', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const { server, ann, at, fields } = await office(dataDir)
    await schedule(ann, fields)
    await server.close()
    for (const expected of [1, 1]) {
      const again = await boot({ dataDir }, { now: () => (at + 3600) * 1000 })
      const back = new Person(`${again.url}/r/test`, ann.email, ann.apiKey, ann.id)
      await vi.waitFor(async () => expect(await waiting(back)).toEqual([]))
      expect(await messagesOf(back)).toHaveLength(expected)
      await again.close()
    }
  })

  test('is sent later where nothing can be saved at its time', async () => {
    const { server, ann, fields, later } = await office()
    await schedule(ann, fields)
    const { database } = server.running.server
    const spy = vi.spyOn(database, 'transact').mockImplementationOnce(() => {
      throw new StorageUnavailableError('full')
    })
    later()
    await vi.waitFor(() => expect(spy).toHaveBeenCalled())
    spy.mockRestore()
    expect(await waiting(ann)).toMatchObject([{ failed: false }])
    server.running.server.delivery.wake()
    await vi.waitFor(async () => expect(await waiting(ann)).toEqual([]))
    expect(await messagesOf(ann)).toHaveLength(1)
  })

  test('its sender may no longer send is kept, and the sender told why', async () => {
    const { server, ann, at, stream_id, fields, later, clock } = await office()
    const id = await schedule(ann, fields)
    await (await server.owner()).delete(`/streams/${stream_id}`)
    await ann.listen({ event_types: ['scheduled_messages'] })
    later()
    expect(await ann.events({ block: true })).toMatchObject([
      { op: 'update', scheduled_message: { scheduled_message_id: id, failed: true } },
    ])
    const [notice] = (await messagesOf(ann)).slice(-1)
    expect(notice).toMatchObject({ type: 'private', sender_full_name: 'Notification Bot' })
    expect(notice.content).toContain("Not authorized to send to channel 'general'")
    const path = `/scheduled_messages/${id}`
    await ann.refused('PATCH', path, { type: 'direct', to: [ann.id] }, 'BAD_REQUEST')
    await ann.patch(path, { type: 'direct', to: [ann.id], scheduled_delivery_timestamp: at + 120 })
    expect(await waiting(ann)).toMatchObject([{ failed: false }])
    clock.now += 120_000
    server.running.server.delivery.wake()
    await vi.waitFor(async () => expect(await waiting(ann)).toEqual([]))
  })

  test('of somebody who was deactivated is kept, and nothing is sent', async () => {
    const { server, ann, bob, fields, later } = await office()
    await schedule(ann, { ...fields, type: 'direct', to: [bob.id] })
    await (await server.owner()).delete(`/users/${ann.id}`)
    later()
    const ctx = new RealmContext(server.running.server, server.realm('test'))
    await vi.waitFor(() =>
      expect(ctx.db.all(ctx.db.q.selectFrom('scheduled_messages').select('failed'))).toEqual([{ failed: 1 }]),
    )
    expect(await messagesOf(bob)).toEqual([])
  })

  test.each([
    [{ to: 4711 }, 'STREAM_DOES_NOT_EXIST', { stream_id: 4711 }],
    [{ type: 'direct', to: [4711] }, 'BAD_REQUEST', {}],
    [{ scheduled_delivery_timestamp: 17 }, 'BAD_REQUEST', {}],
    [{ content: '' }, 'BAD_REQUEST', {}],
    [{ topic: undefined }, 'REQUEST_VARIABLE_MISSING', {}],
    [{ type: 'nowhere' }, 'BAD_REQUEST', {}],
    [{ to: ['general'] }, 'BAD_REQUEST', {}],
  ])('with %j is refused', async (change, code, data) => {
    const { ann, fields } = await office()
    const params = Object.fromEntries(
      Object.entries({ ...fields, ...change }).filter(([, value]) => value !== undefined),
    )
    expect(await ann.refused('POST', '/scheduled_messages', params, code)).toMatchObject(data)
    expect(await waiting(ann)).toEqual([])
  })
})
