import { describe, expect, test } from 'vitest'
import { boot, type Params, Person } from '../../test/boot.ts'

async function find(person: Person, params: Params) {
  const reply = await person.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, ...params })
  const { messages, msg: _msg, result: _result, ...rest } = reply
  return {
    ...rest,
    contents: messages.map(({ content }: { content: string }) => content.replace(/<\/?p>/g, '')),
  }
}
const contents = async (person: Person, narrow: unknown) => (await find(person, { narrow })).contents

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const cat = await server.as('cat')
  await ann.join(['general', 'other'], { principals: [ann.id, bob.id] })
  await ann.say('general', 'lunch', '1')
  await bob.say('general', 'Lunch', '2')
  await ann.say('general', 'work', '3')
  await ann.say('other', 'lunch', '4')
  await bob.tell([ann], '5')
  await cat.tell([bob], '6')
  return { server, ann, bob, cat }
}

describe('anchors', () => {
  test.each<[Params, string[], Params]>([
    [
      { anchor: 'newest', num_before: 2, num_after: 0 },
      ['3', '4'],
      { found_newest: true, found_oldest: false },
    ],
    [
      { anchor: 'oldest', num_before: 0, num_after: 2 },
      ['1', '2'],
      { found_newest: false, found_oldest: true },
    ],
    [
      { anchor: 'at 3', num_before: 1, num_after: 1 },
      ['2', '3', '4'],
      { found_anchor: true, found_newest: true },
    ],
    [
      { anchor: 'at 3', num_before: 1, num_after: 1, include_anchor: false },
      ['2', '4'],
      { found_anchor: false },
    ],
    [{ anchor: 'at 3', num_before: 0, num_after: 0 }, ['3'], { found_newest: false, found_oldest: false }],
    [{ anchor: '10000000000000000', num_before: 1, num_after: 5 }, ['4'], { found_newest: true }],
    [{ anchor: -5, num_before: 1, num_after: 1 }, ['1'], { anchor: 0, found_oldest: true }],
    [{ anchor: 'newest', num_before: 100, num_after: 0 }, ['1', '2', '3', '4'], { found_oldest: true }],
  ])('%j', async (params, wanted, facts) => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.join('general')
    const ids: Record<string, number> = {}
    for (const content of ['1', '2', '3', '4']) ids[`at ${content}`] = await ann.say('general', 't', content)
    const anchor = ids[String(params['anchor'])] ?? params['anchor']
    expect(await find(ann, { ...params, anchor })).toMatchObject({
      contents: wanted,
      history_limited: false,
      ...facts,
    })
  })

  test('first_unread is the oldest unread, or the newest of all', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('general', { principals: [ann.id, bob.id] })
    const own = { type: 'channel', to: 'general', topic: 't', read_by_sender: true }
    await ann.post('/messages', { ...own, content: 'read' })
    const { id } = await bob.post('/messages', { ...own, content: 'unread' })
    await ann.post('/messages', { ...own, content: 'read again' })
    const around = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow: [['channel', 'general']] }
    expect(await find(ann, around)).toMatchObject({ anchor: id, contents: ['unread'] })
    expect(await find(ann, { ...around, anchor: '5', use_first_unread_anchor: true })).toMatchObject({
      anchor: id,
    })
    const { messages } = await ann.get('/messages', { ...around, anchor: 'newest', num_before: 9 })
    expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([['read'], [], ['read']])
    expect(await find(bob, { ...around, num_before: 1 })).toMatchObject({ contents: ['read'] })
  })
})

describe('narrows', () => {
  test('nothing: what the user received', async () => {
    const { ann, bob, cat } = await office()
    expect(await contents(ann, [])).toEqual(['1', '2', '3', '4', '5'])
    expect((await contents(bob, [])).filter((text: string) => text.length === 1)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
    expect(await contents(cat, [])).toEqual(['6'])
  })

  test('by channel, topic, sender and direct conversation, in pairs and objects and old names', async () => {
    const { ann, bob, cat } = await office()
    const [general] = (await ann.get('/streams'))['streams']
    for (const operator of ['channel', 'stream']) {
      for (const operand of ['general', 'GENERAL', String(general.stream_id)]) {
        expect(await contents(ann, [[operator, operand]])).toEqual(['1', '2', '3'])
        expect(await contents(cat, [{ operator, operand }])).toEqual(['1', '2', '3'])
      }
    }
    expect(await contents(ann, [{ operator: 'channel', operand: general.stream_id }])).toEqual([
      '1',
      '2',
      '3',
    ])
    expect(
      await contents(ann, [
        ['channel', 'general'],
        ['topic', 'LUNCH'],
      ]),
    ).toEqual(['1', '2'])
    expect(await contents(ann, [['topic', 'lunch']])).toEqual(['1', '2', '4'])
    expect(await contents(ann, [['sender', bob.email]])).toEqual(['2', '5'])
    expect(await contents(ann, [{ operator: 'from', operand: bob.id }])).toEqual(['2', '5'])
    for (const operator of ['dm', 'pm-with', 'pm_with']) {
      expect(await contents(ann, [[operator, bob.email]])).toEqual(['5'])
      expect(await contents(ann, [{ operator, operand: [bob.id] }])).toEqual(['5'])
      expect(await contents(ann, [{ operator, operand: [bob.id, cat.id] }])).toEqual([])
    }
    expect(
      await contents(ann, [['channel', 'general'], { operator: 'topic', operand: 'lunch', negated: true }]),
    ).toEqual(['3'])
    expect(await contents(ann, [['-sender', ann.email]])).toEqual(['2', '5'])
  })

  test.each<[string, unknown]>([
    ['an unknown operator', [['colour', 'red']]],
    ['an unknown channel', [['channel', 'nothing']]],
    ['an unknown user', [['sender', 'nobody@test.example']]],
    ['an unknown user of a conversation', [{ operator: 'dm', operand: [4711] }]],
    ['a topic that is a number', [{ operator: 'topic', operand: 7 }]],
    ['what is not a list', { operator: 'channel' }],
    ['a term without an operand', [['channel']]],
  ])('%s is refused', async (_what, narrow) => {
    const ann = await (await boot()).as('ann')
    const params = { anchor: 'newest', num_before: 1, num_after: 0, narrow }
    await ann.refused('GET', '/messages', params, 'BAD_REQUEST')
  })
})

describe('who may read what', () => {
  test('a private channel is closed to those outside, and to those who left', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const cat = await server.as('cat')
    await ann.join('secret', { invite_only: true, principals: [ann.id, bob.id] })
    const id = await ann.say('secret', 't', 'hidden')
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    expect(await contents(bob, [['channel', 'secret']])).toEqual(['hidden'])
    await bob.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
    for (const person of [bob, cat]) {
      const params = {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [['channel', String(stream_id)]],
      }
      await person.refused('GET', '/messages', params, 'BAD_REQUEST')
      await person.refused('GET', `/messages/${id}`, {}, 'BAD_REQUEST')
      expect(await contents(person, [['topic', 't']])).toEqual([])
      expect((await person.get('/messages', { message_ids: [id] }))['messages']).toEqual([])
    }
  })

  test('protected history: what was said while one was there', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('vault', { invite_only: true, history_public_to_subscribers: false })
    const before = await ann.say('vault', 't', 'before')
    await ann.join('vault', { principals: [bob.id] })
    await ann.say('vault', 't', 'during')
    await bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] })
    await ann.say('vault', 't', 'away')
    await ann.join('vault', { principals: [bob.id] })
    await ann.say('vault', 't', 'after')
    expect(await contents(bob, [['channel', 'vault']])).toEqual(['during', 'after'])
    expect(await contents(ann, [['channel', 'vault']])).toEqual(['before', 'during', 'away', 'after'])
    await bob.refused('GET', `/messages/${before}`, {}, 'BAD_REQUEST')
  })

  test('shared history is open from the beginning, and does not count as unread', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('general')
    await ann.say('general', 't', 'before')
    await bob.join('general')
    await ann.say('general', 't', 'after')
    const params = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['channel', 'general']] }
    const { messages } = await bob.get('/messages', params)
    expect(messages).toMatchObject([{ flags: ['read', 'historical'] }, { flags: [] }])
  })

  test("never another realm's, by whatever id", async () => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.join('general')
    const id = await ann.say('general', 't', 'ours')
    const eve = await server.as('eve', 'owner', 'other')
    await eve.refused('GET', `/messages/${id}`, {}, 'BAD_REQUEST')
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    const narrow = [{ operator: 'channel', operand: stream_id }]
    await eve.refused('GET', '/messages', { anchor: 0, num_before: 0, num_after: 9, narrow }, 'BAD_REQUEST')
    await eve.refused('DELETE', `/streams/${stream_id}`, {}, 'BAD_REQUEST')
    await eve.refused('DELETE', `/users/${ann.id}`, {}, 'BAD_REQUEST')
    const send = { type: 'channel', to: stream_id, topic: 't', content: 'theirs' }
    await eve.refused('POST', '/messages', send, 'STREAM_DOES_NOT_EXIST')
  })
})

test('by ids: those that may be read, and no anchor beside them', async () => {
  const { ann, bob, cat } = await office()
  // Of a public channel that one is not subscribed to, between others, and one's own.
  const said = await ann.say('general', 't', 'public')
  const told = await ann.tell([bob], 'private')
  const own = await cat.tell([ann], 'own')
  const ids = { message_ids: [own, said, told, 4711] }
  const { messages } = await cat.get('/messages', ids)
  expect(messages.map(({ id }: { id: number }) => id)).toEqual([said, own])
  const error = await ann.refused('GET', '/messages', { ...ids, anchor: 'newest' }, 'BAD_REQUEST')
  expect(error['parameters']).toBe('message_ids, anchor')
})

test.each<[Params, string]>([
  [{ num_before: 1, num_after: 1 }, 'REQUEST_VARIABLE_MISSING'],
  [{ anchor: 'newest', num_after: 1 }, 'REQUEST_VARIABLE_MISSING'],
  [{ anchor: 'newest', num_before: -1, num_after: 1 }, 'BAD_REQUEST'],
  [{ anchor: 'somewhere', num_before: 1, num_after: 1 }, 'BAD_REQUEST'],
  [{ anchor: 'newest', num_before: 5000, num_after: 1 }, 'BAD_REQUEST'],
])('%j is refused', async (params, code) => {
  const ann = await (await boot()).as('ann')
  await ann.refused('GET', '/messages', params, code)
})

test('raw content on request', async () => {
  const ann = await (await boot()).as('ann')
  await ann.join('general')
  await ann.say('general', 't', '**bold**')
  const { messages } = await ann.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    client_extavatar: false,
  })
  expect(messages).toMatchObject([
    { content: '**bold**', content_type: 'text/x-markdown', avatar_url: expect.stringContaining('/avatar/') },
  ])
})

describe('without an account', () => {
  async function spectators({ welcome = true } = {}) {
    const server = await boot()
    const owner = await server.owner()
    const letIn = (allowed: boolean) =>
      server.running.server.database.run(
        "UPDATE realms SET settings = json_set(settings, '$.enable_spectator_access', json(?))",
        [String(allowed)],
      )
    letIn(true)
    await owner.join('open', { is_web_public: true })
    await owner.join('inside')
    const ids = [await owner.say('open', 't', 'for all'), await owner.say('inside', 't', 'for us')]
    letIn(welcome)
    return { owner, nobody: new Person(owner.base, '', '', 0), ids }
  }
  const webPublic = [['channels', 'web-public']]
  const newest = (narrow: unknown) => ({ anchor: 'newest', num_before: 9, num_after: 0, narrow })

  test('the web-public channels can be read, and nothing else', async () => {
    const { nobody, ids } = await spectators()
    const { messages } = await nobody.get('/messages', newest(webPublic))
    expect(messages).toMatchObject([
      { content: '<p>for all</p>', flags: ['read'], avatar_url: expect.any(String) },
    ])
    expect(await contents(nobody, [...webPublic, ['topic', 't'], ['channel', 'open']])).toEqual(['for all'])
    expect(await contents(nobody, [...webPublic, ['-topic', 't']])).toEqual([])
    expect((await nobody.get('/messages', { message_ids: ids, narrow: webPublic }))['messages']).toHaveLength(
      1,
    )
    expect(await find(nobody, { ...newest(webPublic), anchor: 'first_unread' })).toMatchObject({
      contents: ['for all'],
    })
    await nobody.refused('GET', '/messages', newest([...webPublic, ['channel', 'inside']]), 'BAD_REQUEST')
    expect((await nobody.get(`/messages/${ids[0]}`))['message']).toMatchObject({ flags: ['read'] })
    await nobody.refused('GET', `/messages/${ids[1]}`, {}, 'BAD_REQUEST')
  })

  test.each([
    [],
    [['channel', 'open']],
    [['-channels', 'web-public']],
    [...webPublic, ['is', 'unread']],
    [...webPublic, ['dm', 'owner@test.example']],
  ])('a narrow that is not about them takes credentials: %j', async (...narrow) => {
    const { nobody } = await spectators()
    await nobody.refused('GET', '/messages', newest(narrow), 'UNAUTHORIZED', 401)
  })

  test('nor anything where the organization lets nobody in', async () => {
    const { nobody, ids } = await spectators({ welcome: false })
    await nobody.refused('GET', '/messages', newest(webPublic), 'UNAUTHORIZED', 401)
    await nobody.refused('GET', `/messages/${ids[0]}`, {}, 'UNAUTHORIZED', 401)
  })
})
