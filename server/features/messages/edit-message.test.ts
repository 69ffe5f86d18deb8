import { describe, expect, test } from 'vitest'
import { boot, type Params, type Person, type TestServer } from '../../test/boot.ts'

/** Changes settings of the organization, beside those that were changed before. */
async function configure(server: TestServer, settings: Params): Promise<void> {
  const { database } = server.running.server
  database.transact(() =>
    database.run('UPDATE realms SET settings = json_patch(settings, ?) WHERE string_id = ?', [
      JSON.stringify(settings),
      'test',
    ]),
  )
  await database.durable()
}

async function office(options: Parameters<typeof boot>[1] = {}) {
  const server = await boot({}, options)
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general', { principals: [ann.id, bob.id] })
  const [{ stream_id }] = (await ann.get('/streams'))['streams']
  return { server, ann, bob, stream_id: stream_id as number }
}

const messageFor = async (person: Person, id: number, params: Params = { allow_empty_topic_name: true }) =>
  (await person.get(`/messages/${id}`, params))['message']

describe('PATCH /messages/{message_id} with content', () => {
  test('changes it, keeps what was there, and tells everybody who has it', async () => {
    let now = 1_800_000_000_000
    const { server, ann, bob, stream_id } = await office({ now: () => now })
    const guest = await server.listenAs('gus', 'guest')
    const cat = await server.listenAs('cat')
    await guest.events()
    const id = await ann.say('general', 't', 'old *text*')
    now += 60_000
    await ann.listen()
    await bob.listen()
    const reply = await ann.patch(`/messages/${id}`, { content: '/me is **new**  ' })
    expect(reply['detached_uploads']).toEqual([])
    const event = {
      type: 'update_message',
      user_id: ann.id,
      edit_timestamp: 1_800_000_060,
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      stream_id,
      stream_name: 'general',
      orig_content: 'old *text*',
      orig_rendered_content: '<p>old <em>text</em></p>',
      content: '/me is **new**',
      rendered_content: expect.stringContaining('<strong>new</strong>'),
      is_me_message: true,
    }
    expect(await ann.events()).toEqual([{ ...event, id: 0, flags: expect.any(Array) }])
    expect(await bob.events()).toEqual([{ ...event, id: 0, flags: [] }])
    expect(await cat.events()).toEqual([])
    expect(await guest.events()).toEqual([])
    const message = await messageFor(bob, id)
    expect(message).toMatchObject({
      content: event.rendered_content,
      last_edit_timestamp: event.edit_timestamp,
      edit_history: [
        {
          user_id: ann.id,
          timestamp: event.edit_timestamp,
          prev_content: 'old *text*',
          prev_rendered_content: '<p>old <em>text</em></p>',
        },
      ],
    })
    expect(message).not.toHaveProperty('last_moved_timestamp')
  })

  test('the newest edit comes first', async () => {
    const { ann } = await office()
    const id = await ann.say('general', 't', 'one')
    await ann.patch(`/messages/${id}`, { content: 'two' })
    await ann.patch(`/messages/${id}`, { topic: 'u', send_notification_to_new_thread: false })
    await ann.patch(`/messages/${id}`, {
      content: 'three',
      topic: 'v',
      send_notification_to_new_thread: false,
    })
    const { edit_history, content } = await messageFor(ann, id)
    expect(content).toBe('<p>three</p>')
    expect(edit_history).toMatchObject([
      { prev_content: 'two', prev_topic: 'u', topic: 'v' },
      { prev_topic: 't', topic: 'u' },
      { prev_content: 'one' },
    ])
    expect(edit_history[1]).not.toHaveProperty('prev_content')
    expect(edit_history[2]).not.toHaveProperty('prev_topic')
  })

  test('of a direct message reaches only those in it', async () => {
    const { server, ann, bob } = await office()
    const cat = await server.listenAs('cat')
    const id = await ann.tell([bob], 'hi')
    await bob.listen()
    await ann.patch(`/messages/${id}`, { content: 'hello' })
    const [event, ...more] = await bob.events()
    expect(more).toEqual([])
    expect(event).toMatchObject({ type: 'update_message', message_ids: [id], content: 'hello' })
    expect(event).not.toHaveProperty('stream_id')
    expect(event).not.toHaveProperty('subject')
    expect(await cat.events()).toEqual([])
  })

  test('that is empty leaves a note; the same again changes nothing', async () => {
    const { ann, bob } = await office()
    const id = await ann.say('general', 't', 'text')
    await ann.patch(`/messages/${id}`, { content: '  \n ' })
    expect(await messageFor(ann, id)).toMatchObject({ content: '<p>(deleted)</p>' })
    await bob.listen()
    await ann.patch(`/messages/${id}`, { content: '(deleted)' })
    expect(await bob.events()).toEqual([])
    expect((await messageFor(ann, id)).edit_history).toHaveLength(1)
  })

  test('only the sender may, also not an administrator', async () => {
    const { ann, bob, server } = await office()
    const id = await ann.say('general', 't', 'text')
    const owner = await server.owner()
    await owner.join('general')
    for (const person of [bob, owner]) {
      await person.refused('PATCH', `/messages/${id}`, { content: 'no' }, 'BAD_REQUEST')
    }
    expect(await messageFor(ann, id)).toMatchObject({ content: '<p>text</p>' })
  })

  test('within the time limit, which holds for administrators too', async () => {
    let now = Date.now()
    const { ann, server } = await office({ now: () => now })
    const admin = await server.as('ada', 'administrator')
    await admin.join('general')
    const old = await ann.say('general', 't', 'text')
    const own = await admin.say('general', 't', 'text')
    now += 600_000
    await ann.patch(`/messages/${old}`, { content: 'just so' })
    now += 2000
    await ann.refused('PATCH', `/messages/${old}`, { content: 'late' }, 'BAD_REQUEST')
    await admin.refused('PATCH', `/messages/${own}`, { content: 'late' }, 'BAD_REQUEST')
    await configure(server, { message_content_edit_limit_seconds: 1000 })
    await ann.patch(`/messages/${old}`, { content: 'more time' })
  })

  test('not where the organization has turned editing off', async () => {
    const { ann, server } = await office()
    const id = await ann.say('general', 't', 'text')
    await configure(server, { allow_message_editing: false })
    await ann.refused('PATCH', `/messages/${id}`, { content: 'no' }, 'BAD_REQUEST')
    await ann.patch(`/messages/${id}`, { topic: 'moving is something else' })
  })

  test.each([
    ['nothing', {}],
    ['what is too long', { content: 'x'.repeat(10_001) }],
    ['a null byte', { content: 'a\0b' }],
    ['a propagate mode with content alone', { content: 'new', propagate_mode: 'change_all' }],
    ['a propagate mode alone', { propagate_mode: 'change_later' }],
    ['a propagate mode there is not', { topic: 'u', propagate_mode: 'change_some' }],
    ['content with a channel', { content: 'new', stream_id: 1 }],
    ['content with an unknown channel', { content: 'new', stream_id: 4711 }],
    ['the topic that it has', { topic: 't' }],
    ['the channel that it has', { stream_id: 1 }],
    ['a topic that is too long', { topic: 'x'.repeat(61) }],
    ['a topic with a line break', { topic: 'a\nb' }],
    ['an unknown channel', { stream_id: 4711 }],
  ])('%s is refused', async (_what, params) => {
    const { ann, bob } = await office()
    const id = await ann.say('general', 't', 'text')
    await bob.listen()
    await ann.refused('PATCH', `/messages/${id}`, params, 'BAD_REQUEST')
    expect(await bob.events()).toEqual([])
    const message = await messageFor(ann, id)
    expect(message).toMatchObject({ content: '<p>text</p>', subject: 't' })
    expect(message).not.toHaveProperty('edit_history')
  })

  test('a message that is not there, or not to be read', async () => {
    const { ann, bob } = await office()
    const secret = await ann.tell([ann], 'note')
    await bob.refused('PATCH', `/messages/${secret}`, { content: 'x' }, 'BAD_REQUEST')
    await bob.refused('PATCH', '/messages/4711', { content: 'x' }, 'BAD_REQUEST')
  })
})

describe('GET /messages/{message_id}/history', () => {
  test('tells every version, oldest first', async () => {
    const { ann, bob, stream_id } = await office()
    await ann.join('other', { principals: [bob.id] })
    const [, { stream_id: other }] = (await ann.get('/streams'))['streams']
    const id = await ann.say('general', '', 'one two')
    await ann.patch(`/messages/${id}`, { content: 'one three' })
    await bob.patch(`/messages/${id}`, {
      stream_id: other,
      topic: 'u',
      send_notification_to_new_thread: false,
    })
    const timestamp = expect.any(Number)
    const [one, two] = ['<p>one two</p>', '<p>one three</p>']
    const history = (params: Params) => bob.get(`/messages/${id}/history`, params)
    expect((await history({ allow_empty_topic_name: true }))['message_history']).toEqual([
      { user_id: ann.id, timestamp, content: 'one two', rendered_content: one, topic: '' },
      {
        user_id: ann.id,
        timestamp,
        content: 'one three',
        rendered_content: two,
        topic: '',
        prev_content: 'one two',
        prev_rendered_content: one,
        content_html_diff:
          '<p>one <span class="highlight_text_deleted">two</span><span class="highlight_text_inserted">three</span></p>',
      },
      {
        user_id: bob.id,
        timestamp,
        content: 'one three',
        rendered_content: two,
        topic: 'u',
        prev_topic: '',
        stream: other,
        prev_stream: stream_id,
      },
    ])
    expect((await history({}))['message_history']).toMatchObject([
      { topic: 'general chat' },
      { topic: 'general chat' },
      { topic: 'u', prev_topic: 'general chat' },
    ])
  })

  test('as far as the organization shows it, to those who may read the message', async () => {
    const { server, ann, bob } = await office()
    const id = await ann.say('general', 't', 'secret')
    await ann.patch(`/messages/${id}`, { content: 'fine' })
    await ann.patch(`/messages/${id}`, { topic: 'u', send_notification_to_new_thread: false })
    await configure(server, { message_edit_history_visibility_policy: 'moves' })
    const { message_history } = await bob.get(`/messages/${id}/history`)
    expect(message_history).toMatchObject([
      { topic: 't', content: 'fine' },
      { topic: 'u', prev_topic: 't' },
    ])
    expect(JSON.stringify(message_history)).not.toContain('secret')
    await configure(server, { message_edit_history_visibility_policy: 'none' })
    await ann.refused('GET', `/messages/${id}/history`, {}, 'BAD_REQUEST')
    await configure(server, { message_edit_history_visibility_policy: 'all' })
    const note = await ann.tell([ann], 'note')
    expect((await ann.get(`/messages/${note}/history`))['message_history']).toMatchObject([
      { content: 'note', topic: '' },
    ])
    await bob.refused('GET', `/messages/${note}/history`, {}, 'BAD_REQUEST')
  })
})

test('files of which no message is left are told to the one who edits', async () => {
  const { server, ann } = await office()
  const id = await ann.say('general', 't', 'two files')
  const other = await ann.say('general', 't', 'one of them')
  const [first, second] = [await upload(ann), await upload(ann)]
  const { database } = server.running.server
  database.transact(() => {
    for (const [path_id, message] of [
      [first, id],
      [second, id],
      [second, other],
    ] as const) {
      database.run(
        `INSERT INTO attachment_messages (realm_id, attachment_id, message_id)
         SELECT realm_id, id, ? FROM attachments WHERE path_id = ? ON CONFLICT DO NOTHING`,
        [message, path_id],
      )
    }
  })
  const reply = await ann.patch(`/messages/${id}`, { content: 'neither' })
  expect(reply['detached_uploads']).toMatchObject([
    { name: 'notes.txt', path_id: first, size: 5, messages: [] },
  ])
})

/** @returns the `path_id` of a new file */
async function upload(person: Person): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['hello'], 'notes.txt'))
  const headers = { Authorization: person.authorization }
  const response = await fetch(`${person.base}/api/v1/user_uploads`, { method: 'POST', headers, body: form })
  const { url } = (await response.json()) as { url: string }
  return url.replace('/user_uploads/', '')
}

test('what follows from the content goes with it; what the reader set stays', async () => {
  const { ann, bob } = await office()
  const id = await ann.say('general', 't', 'hello')
  await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await bob.listen({ event_types: ['update_message'] })
  await ann.patch(`/messages/${id}`, { content: 'hello @**Bob**' })
  expect(await bob.events()).toMatchObject([{ flags: ['starred', 'mentioned'] }])
  await ann.patch(`/messages/${id}`, { content: 'hello all' })
  expect(await bob.events()).toMatchObject([{ flags: ['starred'] }])
  expect((await messageFor(bob, id)).flags).toEqual(['starred'])
})

describe('the visibility of the edit history', () => {
  const edited = async () => {
    const { ann, server } = await office()
    const id = await ann.say('general', 't', 'one')
    await ann.patch(`/messages/${id}`, { content: 'two' })
    await ann.patch(`/messages/${id}`, {
      content: 'three',
      topic: '',
      send_notification_to_new_thread: false,
    })
    return { ann, server, id }
  }

  test('moves only', async () => {
    const { ann, server, id } = await edited()
    await configure(server, { message_edit_history_visibility_policy: 'moves' })
    const message = await messageFor(ann, id)
    expect(message.edit_history).toEqual([
      { user_id: ann.id, timestamp: expect.any(Number), prev_topic: 't', topic: '' },
    ])
    expect(message.last_edit_timestamp).toBeTypeOf('number')
  })

  test('none', async () => {
    const { ann, server, id } = await edited()
    await configure(server, { message_edit_history_visibility_policy: 'none' })
    const message = await messageFor(ann, id)
    expect(message).not.toHaveProperty('edit_history')
    expect(message.last_edit_timestamp).toBeTypeOf('number')
    expect(message.last_moved_timestamp).toBeTypeOf('number')
  })

  test('the empty topic has a name for clients that need one', async () => {
    const { ann, id } = await edited()
    const message = await messageFor(ann, id, {})
    expect(message).toMatchObject({ subject: 'general chat', edit_history: [{ topic: 'general chat' }, {}] })
  })
})
