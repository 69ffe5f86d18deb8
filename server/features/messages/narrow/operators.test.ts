/** Operators of narrows that depend on what somebody chose, on what is in a message, or on where it went. */
import { expect, test } from 'vitest'
import { picture } from '../../../matrix/world.ts'
import { boot, type Body, type Person } from '../../../test/boot.ts'

type Pair = [operator: string, operand: string | number | number[]]

async function found(person: Person, ...narrow: Pair[]): Promise<number[]> {
  const { messages } = await person.get('/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: narrow.map(([operator, operand]) => {
      const negated = operator.startsWith('-')
      return { operator: negated ? operator.slice(1) : operator, operand, negated }
    }),
  })
  return messages.map((message: Body) => message['id'])
}

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const cat = await server.as('cat')
  await ann.join(['one', 'two'], { principals: [ann.id, bob.id, cat.id] })
  const idOf = async (stream: string) => (await ann.get('/get_stream_id', { stream }))['stream_id'] as number
  return { server, ann, bob, cat, one: await idOf('one'), two: await idOf('two') }
}

test('is:followed and is:muted follow the choices of whoever asks; a topic’s choice wins over its channel’s', async () => {
  const { ann, bob, one, two } = await office()
  const quiet = await bob.say('one', 'quiet', 'a')
  const loud = await bob.say('one', 'loud', 'b')
  const other = await bob.say('two', 'other', 'c')
  const kept = await bob.say('two', 'kept', 'd')
  const choose = (stream_id: number, topic: string, visibility_policy: number) =>
    ann.post('/user_topics', { stream_id, topic, visibility_policy })
  await choose(one, 'QUIET', 1)
  await choose(one, 'loud', 3)
  await choose(two, 'kept', 2)
  await ann.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: two, property: 'is_muted', value: true }],
  })
  expect(await found(ann, ['is', 'followed'])).toEqual([loud])
  expect(await found(ann, ['-is', 'followed'], ['sender', bob.id])).toEqual([quiet, other, kept])
  expect(await found(ann, ['is', 'muted'])).toEqual([quiet, other])
  expect(await found(ann, ['-is', 'muted'], ['sender', bob.id])).toEqual([loud, kept])
  expect(await found(bob, ['is', 'muted'])).toEqual([])
  expect(await found(ann, ['in', 'home'], ['sender', bob.id])).toEqual([loud, kept])
  expect(await found(ann, ['-in', 'home'])).toEqual([quiet, other])
  expect(await found(ann, ['in', 'all'], ['sender', bob.id])).toEqual([quiet, loud, other, kept])
  // A topic that moves takes the choice along.
  await bob.patch(`/messages/${quiet}`, { topic: 'calm', propagate_mode: 'change_all' })
  expect(await found(ann, ['is', 'muted'], ['sender', bob.id])).toEqual([quiet, other])
})

test('the empty topic is one of channels; direct messages have none', async () => {
  const { ann, bob } = await office()
  const direct = await bob.tell([ann], 'hi')
  const nameless = await bob.say('one', '', 'a')
  const named = await bob.say('one', 't', 'b')
  expect(await found(ann, ['topic', ''])).toEqual([nameless])
  expect(await found(ann, ['-topic', ''], ['sender', bob.id])).toEqual([direct, named])
})

test('is:mentioned and is:alerted: by name, by wildcard, by words of one’s own', async () => {
  const { ann, bob, cat } = await office()
  await ann.post('/users/me/alert_words', { alert_words: ['coffee'] })
  const byName = await bob.say('one', 't', 'Hello @**Ann**')
  const silent = await bob.say('one', 't', 'Hello @_**Ann**')
  const all = await bob.say('one', 't', '@**all** hear')
  const word = await bob.tell([ann], 'More Coffee!')
  expect(await found(ann, ['is', 'mentioned'])).toEqual([byName, all])
  expect(await found(cat, ['is', 'mentioned'])).toEqual([all])
  expect(await found(ann, ['is', 'alerted'])).toEqual([word])
  expect(await found(bob, ['is', 'alerted'])).toEqual([])
  await bob.patch(`/messages/${silent}`, { content: 'Hello @**Ann**' })
  await bob.patch(`/messages/${byName}`, { content: 'coffee' })
  expect(await found(ann, ['is', 'mentioned'])).toEqual([silent, all])
  expect(await found(ann, ['is', 'alerted'])).toEqual([byName, word])
})

test('has: what is in a message now, in the singular or the plural', async () => {
  const { ann, bob } = await office()
  const { body: file } = await ann.send('POST', '/user_uploads', { name: 'note.txt', bytes: 'hello' })
  const link = await ann.say('one', 't', 'See https://example.com/')
  const { body: dot } = await ann.send('POST', '/user_uploads', picture)
  const image = await ann.say('one', 't', `[dot.png](${dot['url']})`)
  const attachment = await ann.say('one', 't', `[note](${file['url']})`)
  const plain = await ann.say('one', 't', 'Nothing, `https://example.com`')
  await bob.post(`/messages/${plain}/reactions`, { emoji_name: '+1' })
  for (const plural of ['', 's']) {
    expect(await found(bob, ['has', `link${plural}`], ['sender', ann.id])).toEqual([link, image, attachment])
    expect(await found(bob, ['has', `image${plural}`])).toEqual([image])
    expect(await found(bob, ['has', `attachment${plural}`])).toEqual([image, attachment])
    expect(await found(bob, ['has', `reaction${plural}`])).toEqual([plain])
  }
  expect(await found(bob, ['-has', 'link'], ['sender', ann.id])).toEqual([plain])
  await ann.patch(`/messages/${link}`, { content: 'See nothing' })
  await bob.delete(`/messages/${plain}/reactions`, { emoji_name: '+1' })
  expect(await found(bob, ['has', 'link'], ['sender', ann.id])).toEqual([image, attachment])
  expect(await found(bob, ['has', 'reaction'])).toEqual([])
})

test('group-pm-with: conversations of more than two with somebody', async () => {
  const { ann, bob, cat } = await office()
  await bob.tell([ann], 'two of us')
  const three = await bob.tell([ann, cat], 'three of us')
  const mine = await ann.tell([bob, cat], 'all of us')
  expect(await found(ann, ['group-pm-with', bob.id])).toEqual([three, mine])
  expect(await found(ann, ['group-pm-with', 'bob@test.example'])).toEqual([three, mine])
  expect(await found(ann, ['-group-pm-with', bob.id], ['is', 'dm'], ['sender', bob.id])).toHaveLength(1)
})

test('with: the conversation of a message, wherever it went', async () => {
  const { server, ann, bob, one, two } = await office()
  const first = await bob.say('one', 'start', 'a')
  const second = await bob.say('one', 'start', 'b')
  const apart = await bob.say('two', 'other', 'c')
  await bob.patch(`/messages/${first}`, { topic: 'end', stream_id: two, propagate_mode: 'change_all' })
  const theirs = [
    ['channel', one],
    ['topic', 'start'],
    ['with', first],
  ] satisfies Pair[]
  expect(await found(ann, ...theirs, ['sender', bob.id])).toEqual([first, second])
  expect(await found(ann, ['with', apart], ['sender', bob.id])).toEqual([apart])
  const direct = await bob.tell([ann], 'between us')
  expect(await found(ann, ['with', direct])).toEqual([direct])
  // What cannot be read says nothing of where it is.
  const eve = await server.as('eve')
  expect(await found(eve, ['channel', two], ['topic', 'other'], ['with', direct])).toEqual([apart])
  const request = (...narrow: Pair[]) => ({ anchor: 'newest', num_before: 1, num_after: 0, narrow })
  await eve.refused(
    'GET',
    '/messages',
    { ...request(), narrow: [{ operator: 'with', operand: direct }] },
    'BAD_REQUEST',
  )
  for (const narrow of [
    [{ operator: 'with', operand: first, negated: true }],
    [
      { operator: 'with', operand: first },
      { operator: 'with', operand: second },
    ],
    [{ operator: 'with', operand: 'soon' }],
    [{ operator: 'is', operand: 'lost' }],
    [{ operator: 'has', operand: 'toString' }],
    [{ operator: 'constructor', operand: 'x' }],
    [{ operator: 'is', operand: '__proto__' }],
  ]) {
    await ann.refused('GET', '/messages', { ...request(), narrow }, 'BAD_REQUEST')
  }
})

test('a queue takes only what its narrow lets through, for whom it is', async () => {
  const { server, ann, bob, one } = await office()
  await ann.post('/users/me/alert_words', { alert_words: ['coffee'] })
  const narrows: [string, string][][] = [
    [['channel', 'one']],
    [
      ['stream', String(one)],
      ['topic', 'T'],
    ],
    [['sender', bob.email]],
    [['is', 'dm']],
    [['is', 'mentioned']],
    [['is', 'alerted']],
    [['-is', 'dm']],
  ]
  const queues: Person[] = []
  for (const narrow of narrows)
    queues.push(await server.listenAs('ann', 'member', { narrow, event_types: ['message'] }))
  const inOne = await bob.say('one', 't', 'coffee')
  const inTwo = await bob.say('two', 't', '@**Ann**')
  const direct = await bob.tell([ann], 'psst')
  const own = await ann.say('one', 'u', 'mine')
  const heard: number[][] = []
  for (const queue of queues) heard.push((await queue.events()).map((event) => event['message'].id))
  expect(heard).toEqual([
    [inOne, own],
    [inOne],
    [inOne, inTwo, direct],
    [direct],
    [inTwo],
    [inOne],
    [inOne, inTwo, own],
  ])
  for (const narrow of [
    [['has', 'link']],
    [['is', 'toString']],
    [['with', '1']],
    [['channel']],
    ['channel', 'one'],
  ]) {
    await ann.refused('POST', '/register', { narrow }, 'BAD_REQUEST')
  }
})
