import { describe, expect, test, vi } from 'vitest'
import { boot } from '../../test/boot.ts'

async function office(options: Parameters<typeof boot>[1] = {}) {
  const server = await boot({}, options)
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general', { principals: [ann.id, bob.id] })
  return { server, ann, bob, owner: await server.owner() }
}

describe('DELETE /messages/{message_id}', () => {
  test('is gone for everybody, and those who may have it hear', async () => {
    const { server, ann, bob, owner } = await office()
    const event_types = ['delete_message']
    const cat = await server.listenAs('cat', 'member', { event_types })
    const first = await ann.say('general', '', 'first')
    const second = await ann.say('general', '', 'second')
    await bob.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
    await ann.listen({
      event_types,
      client_capabilities: { bulk_message_deletion: true, empty_topic_name: true },
    })
    await bob.listen({ event_types, client_capabilities: {} })
    await ann.delete(`/messages/${first}`)
    const [{ stream_id, first_message_id }] = (await owner.get('/streams'))['streams']
    expect(first_message_id).toBe(second)
    expect(await ann.events()).toMatchObject([
      { type: 'delete_message', message_type: 'stream', stream_id, topic: '', message_ids: [first] },
    ])
    expect(await bob.events()).toMatchObject([
      { type: 'delete_message', topic: 'general chat', message_id: first },
    ])
    expect(await cat.events()).toEqual([])
    await bob.refused('GET', `/messages/${first}`, {}, 'BAD_REQUEST')
    await ann.refused('DELETE', `/messages/${first}`, {}, 'BAD_REQUEST')
  })

  test('own ones within the limit; any one for administrators', async () => {
    let now = Date.now()
    const { ann, bob, owner } = await office({ now: () => now })
    const old = await ann.say('general', 't', 'old')
    await bob.refused('DELETE', `/messages/${old}`, {}, 'BAD_REQUEST')
    now += 601_000
    await ann.refused('DELETE', `/messages/${old}`, {}, 'BAD_REQUEST')
    await owner.delete(`/messages/${old}`)
    const secret = await ann.tell([bob], 'psst')
    await owner.refused('DELETE', `/messages/${secret}`, {}, 'BAD_REQUEST')
  })
})

describe('POST /streams/{stream_id}/delete_topic', () => {
  test('deletes a topic in batches, and nothing else', async () => {
    const { server, ann, bob, owner } = await office()
    const [{ stream_id }] = (await owner.get('/streams'))['streams']
    const ids = [await ann.say('general', 'Plans', 'one'), await bob.say('general', 'plans', 'two')]
    const other = await ann.say('general', 'other', 'stays')
    const { database } = server.running.server
    database.transact(() =>
      database.run(
        `INSERT INTO messages (realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content, client, timestamp)
         SELECT realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content, client, timestamp
           FROM messages, (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n)
          WHERE id = ?`,
        [ids[0] ?? 0],
      ),
    )
    await bob.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
    const event_types = ['delete_message']
    const bulk = { event_types, client_capabilities: { bulk_message_deletion: true } }
    await bob.listen(bulk)
    const cat = await server.listenAs('cat', 'guest', bulk)
    expect(await owner.post(`/streams/${stream_id}/delete_topic`, { topic_name: 'plans' })).toMatchObject({
      complete: true,
    })
    const events = (await bob.events()).filter(({ type }) => type === 'delete_message')
    expect(events.length).toBeGreaterThan(2)
    expect(events.flatMap(({ message_ids }) => message_ids)).toHaveLength(1002)
    expect(await cat.events()).toEqual([])
    expect(database.all("SELECT id FROM messages WHERE topic <> ''")).toEqual([{ id: other }])
    expect(database.all('SELECT 1 FROM message_flags')).toEqual([])
    expect((await owner.get('/streams'))['streams']).toMatchObject([{ first_message_id: other }])
    expect(await owner.post(`/streams/${stream_id}/delete_topic`, { topic_name: 'gone' })).toMatchObject({
      complete: true,
    })
  })

  test('by those who may delete any message', async () => {
    const { ann, bob, owner } = await office()
    const [{ stream_id }] = (await owner.get('/streams'))['streams']
    const id = await ann.say('general', '', 'one')
    const path = `/streams/${stream_id}/delete_topic`
    await ann.refused('POST', path, { topic_name: '' }, 'UNAUTHORIZED_PRINCIPAL')
    await owner.refused('POST', path, {}, 'REQUEST_VARIABLE_MISSING')
    await owner.refused('POST', '/streams/4711/delete_topic', { topic_name: '' }, 'BAD_REQUEST')
    await ann.join('secret', { invite_only: true })
    const secret = (await ann.get('/streams'))['streams'].at(-1).stream_id
    await owner.refused('POST', `/streams/${secret}/delete_topic`, { topic_name: '' }, 'BAD_REQUEST')
    await bob.get(`/messages/${id}`)
    await bob.listen({ client_capabilities: {}, event_types: ['delete_message'] })
    await owner.post(path, { topic_name: 'general chat' })
    expect(await bob.events()).toMatchObject([
      { type: 'delete_message', topic: 'general chat', message_id: id },
    ])
  })
})

test('a topic too long for one request is deleted in several', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.join('general')
  for (let i = 0; i < 501; i += 1) await owner.say('general', 'long', String(i))
  const { stream_id } = await owner.get('/get_stream_id', { stream: 'general' })
  const path = `/streams/${stream_id}/delete_topic`
  // As if it took very long.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000))
  expect(await owner.post(path, { topic_name: 'long' })).toMatchObject({ complete: false })
  clock.mockRestore()
  const left = async () =>
    (
      await owner.get('/messages', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 1000,
        narrow: [['topic', 'long']],
      })
    )['messages'].map((message: { content: string }) => message.content)
  expect(await left()).toEqual(['<p>0</p>'])
  expect(await owner.post(path, { topic_name: 'long' })).toMatchObject({ complete: true })
  expect(await left()).toEqual([])
})

describe('typing', () => {
  test('in a direct conversation is told to those in it', async () => {
    const { server, ann, bob } = await office()
    const cat = await server.listenAs('cat')
    await bob.listen()
    await ann.post('/typing', { op: 'start', to: [bob.id] })
    expect(await bob.events()).toMatchObject([
      {
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: { user_id: ann.id, email: ann.email },
        recipients: [{ user_id: ann.id }, { user_id: bob.id }],
      },
    ])
    expect(await cat.events()).toEqual([])
  })

  test('in a channel is told to subscribers whose clients ask for it', async () => {
    const { server, ann, bob } = await office()
    const cat = await server.listenAs('cat', 'member', {
      client_capabilities: { stream_typing_notifications: true },
    })
    const old = await server.listenAs('bob', 'member', { client_capabilities: {} })
    await bob.listen({ client_capabilities: { stream_typing_notifications: true } })
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    await ann.post('/typing', { op: 'stop', type: 'channel', stream_id, topic: 'lunch' })
    expect(await bob.events()).toMatchObject([
      { type: 'typing', op: 'stop', message_type: 'stream', stream_id, topic: 'lunch' },
    ])
    expect(await old.events()).toEqual([])
    expect(await cat.events()).toEqual([])
  })

  test('an edit is told to those who have the message', async () => {
    const { ann, bob } = await office()
    const id = await ann.say('general', 't', 'text')
    await bob.listen()
    await ann.post(`/messages/${id}/typing`, { op: 'start' })
    expect(await bob.events()).toMatchObject([
      {
        type: 'typing_edit_message',
        op: 'start',
        sender_id: ann.id,
        message_id: id,
        recipient: { type: 'channel', topic: 't' },
      },
    ])
    await bob.refused('POST', `/messages/${id}/typing`, { op: 'start' }, 'BAD_REQUEST')
  })

  test.each([
    [{ op: 'start' }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', type: 'channel', topic: 't' }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', to: [] }, 'BAD_REQUEST'],
    [{ op: 'start', to: [4711] }, 'BAD_REQUEST'],
    [{ op: 'begin', to: [1] }, 'BAD_REQUEST'],
    [{ op: 'start', type: 'channel', stream_id: 4711, topic: 't' }, 'STREAM_DOES_NOT_EXIST'],
  ])('%j is refused', async (params, code) => {
    const { ann } = await office()
    await ann.refused('POST', '/typing', params, code)
  })
})
