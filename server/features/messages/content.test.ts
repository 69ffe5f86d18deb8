import { expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { boot, type Person, type TestServer } from '../../test/boot.ts'

const flagsOf = async (person: Person, id: number): Promise<string[]> =>
  (await person.get(`/messages/${id}`))['message']['flags']

const message = async (person: Person, id: number) => (await person.get(`/messages/${id}`))['message']

/** The flags that the events of a person's queue carried. */
const heard = async (person: Person) =>
  (await person.events()).filter(({ type }) => type === 'message').map((event) => event['flags'])

async function office(): Promise<{ server: TestServer; ann: Person; bob: Person; eve: Person }> {
  const server = await boot()
  const [ann, bob, eve] = [
    await server.listenAs('ann'),
    await server.listenAs('bob'),
    await server.listenAs('eve'),
  ]
  await ann.join('design')
  await bob.join('design')
  await Promise.all([ann, bob, eve].map((person) => person.events()))
  return { server, ann, bob, eve }
}

test('a mention flags the message for who receives it, in the event as in the list', async () => {
  const { ann, bob, eve } = await office()
  const id = await ann.say('design', 'x', 'for @**Bob** and @**Eve**')
  expect(await heard(bob)).toEqual([['mentioned']])
  expect(await heard(ann)).toEqual([['read']].map(() => expect.not.arrayContaining(['mentioned'])))
  expect(await heard(eve)).toEqual([])
  expect(await flagsOf(bob, id)).toContain('mentioned')
  expect(await flagsOf(eve, id)).not.toContain('mentioned')
  expect((await message(ann, id))['content']).toContain(`data-user-id="${bob.id}">@Bob<`)
  const silent = await ann.say('design', 'x', '@_**Bob** > @**Nobody**')
  expect(await flagsOf(bob, silent)).not.toContain('mentioned')
})

test('everybody in a channel is mentioned by one fact, and nobody elsewhere', async () => {
  const { server, ann, bob } = await office()
  const id = await ann.say('design', 'x', '@**all** see')
  const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned']
  expect(await heard(bob)).toEqual([flags])
  expect(await flagsOf(bob, id)).toEqual(flags)
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  expect(ctx.db.all(ctx.db.q.selectFrom('message_flags').selectAll())).toEqual([])
  const late = await server.as('late')
  await late.join('design')
  expect(await flagsOf(late, id)).toEqual(['read', 'historical'])
  const direct = await ann.tell([bob], '@**all**')
  expect(await flagsOf(bob, direct)).toEqual([])
})

test('a topic wildcard mentions those who take part in the topic', async () => {
  const { ann, bob, server } = await office()
  const carl = await server.as('carl')
  await carl.join('design')
  await bob.say('design', 'x', 'one')
  const id = await ann.say('design', 'x', '@**topic** two')
  expect(await flagsOf(bob, id)).toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned'])
  expect(await flagsOf(carl, id)).toEqual([])
})

test('mentioning more than fifteen at once takes a permission', async () => {
  const { server, ann } = await office()
  const owner = await server.owner()
  for (let i = 0; i < 14; i += 1) {
    const person = await server.as(`p${i}`)
    await person.join('design')
    await person.say('design', 'busy', 'here')
  }
  const send = (topic: string, content: string) => ({ type: 'channel', to: 'design', topic, content })
  await ann.refused('POST', '/messages', send('x', '@**all**'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  await ann.post('/messages', send('x', '@_**all** `@**all**`'))
  await ann.say('design', 'busy', 'and me')
  await owner.join('design')
  await owner.say('design', 'x', '@**everyone**')
  await owner.say('design', 'busy', '@**topic**')
  await ann.refused('POST', '/messages', send('busy', '@**topic**'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
})

test('a group is mentioned with those in nested groups, by who may mention it', async () => {
  const { ann, bob, eve } = await office()
  const inner = (
    await ann.post('/user_groups/create', { name: 'inner', description: '', members: [bob.id] })
  )['group_id']
  await ann.post('/user_groups/create', {
    name: 'outer',
    description: '',
    members: [eve.id],
    subgroups: [inner],
    can_mention_group: { direct_members: [ann.id], direct_subgroups: [] },
  })
  const id = await ann.say('design', 'x', '@*outer*')
  expect(await flagsOf(bob, id)).toEqual(['mentioned'])
  const send = { type: 'channel', to: 'design', topic: 'x', content: '@*outer*' }
  await bob.refused('POST', '/messages', send, 'BAD_REQUEST')
  await bob.post('/messages', { ...send, content: '@_*outer*' })
})

test('a private channel is not revealed to a sender outside, nor is a name that two share resolved', async () => {
  const { server, ann, bob } = await office()
  await bob.join('secret', { invite_only: true })
  const rendered = async (person: Person, content: string) =>
    (await person.post('/messages/render', { content }))['rendered']
  expect(await rendered(ann, '#**secret**')).toBe('<p>#<strong>secret</strong></p>')
  expect(await rendered(bob, '#**secret**')).toContain('class="stream"')
  const twin = await server.as('twin')
  await (await server.owner()).patch(`/users/${twin.id}`, { full_name: 'Bob' })
  expect(await rendered(ann, '@**Bob**')).toBe('<p>@<strong>Bob</strong></p>')
  expect(await rendered(ann, `@**Bob|${twin.id}**`)).toContain(`data-user-id="${twin.id}"`)
})

test('an edit works out the flags anew, and leaves what a reader set', async () => {
  const { ann, bob } = await office()
  const id = await ann.say('design', 'x', '@**Bob**')
  await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await ann.patch(`/messages/${id}`, { content: '@**all**' })
  expect((await flagsOf(bob, id)).sort()).toEqual([
    'starred',
    'stream_wildcard_mentioned',
    'wildcard_mentioned',
  ])
  await ann.patch(`/messages/${id}`, { content: 'nobody' })
  expect(await flagsOf(bob, id)).toEqual(['starred'])
})
