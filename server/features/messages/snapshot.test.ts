import { describe, expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import type { EventOf } from '../../events/union.ts'
import { boot, type Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'
import { currentUser } from '../users/announce.ts'
import { unreadSnapshot } from './snapshot.ts'
import { applyToUnread, type UnreadSnapshot } from './unread-counts.ts'

const fetch_event_types = ['message', 'update_message_flags']
const unreadOf = async (person: Person): Promise<UnreadSnapshot> =>
  (await person.listen({ fetch_event_types }))['unread_msgs']

async function office() {
  const server = await boot()
  const [ann, bob, cy] = [await server.as('ann'), await server.as('bob'), await server.as('cy')]
  for (const person of [ann, bob]) await person.join('general')
  return { server, ann, bob, cy }
}

describe('unread messages in POST /register', () => {
  test('by channel and topic, by person, by group, with the mentions', async () => {
    const { server, ann, bob, cy } = await office()
    const inChannel = await bob.say('general', 'lunch', 'hi')
    const mention = await bob.say('general', 'lunch', 'hi @**Ann**')
    const other = await bob.say('general', 'tea', 'hi')
    const direct = await bob.tell([ann], 'psst')
    const group = await cy.tell([ann, bob], 'all of you')
    const note = await ann.tell([ann], 'for myself')
    await ann.post('/messages/flags', { messages: [note], op: 'remove', flag: 'read' })
    const [{ stream_id }] = (await ann.get('/users/me/subscriptions'))['subscriptions']
    expect(await unreadOf(ann)).toEqual({
      count: 6,
      streams: [
        { stream_id, topic: 'lunch', unread_message_ids: [inChannel, mention] },
        { stream_id, topic: 'tea', unread_message_ids: [other] },
      ],
      pms: [
        { other_user_id: ann.id, sender_id: ann.id, unread_message_ids: [note] },
        { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: [direct] },
      ],
      huddles: [
        {
          user_ids_string: [ann.id, bob.id, cy.id].sort((a, b) => a - b).join(','),
          unread_message_ids: [group],
        },
      ],
      mentions: [mention],
      old_unreads_missing: false,
    })
    const outsider = await server.as('dan')
    expect(await unreadOf(outsider)).toMatchObject({ count: 0, streams: [], pms: [], huddles: [] })
  })

  test('only with both fetch types, and the empty topic by its shown name for older clients', async () => {
    const { ann, bob } = await office()
    await bob.say('general', '', 'hi')
    for (const type of fetch_event_types) {
      expect(await ann.post('/register', { fetch_event_types: [type] })).not.toHaveProperty('unread_msgs')
    }
    const { unread_msgs } = await ann.post('/register', { fetch_event_types })
    expect(unread_msgs.streams).toMatchObject([{ topic: 'general chat' }])
    expect((await unreadOf(ann)).streams).toMatchObject([{ topic: '' }])
  })

  test('more than are counted: the newest, and it says that older ones are missing', async () => {
    const { server, ann, bob } = await office()
    const ids: number[] = []
    for (let i = 0; i < 5; i += 1) ids.push(await bob.say('general', `topic ${i}`, 'hi'))
    const some = peek(server, ann, 3)
    expect(some).toMatchObject({ count: 3, old_unreads_missing: true })
    expect(some.streams.flatMap((entry) => entry.unread_message_ids).sort()).toEqual(ids.slice(2))
    expect(peek(server, ann, 5)).toMatchObject({ count: 5, old_unreads_missing: false })
  })

  test('stays current with the events', async () => {
    const { server, ann, bob } = await office()
    const { subscriptions } = await ann.get('/users/me/subscriptions')
    const steps: ((ids: number[]) => Promise<unknown>)[] = [
      () => bob.tell([ann], 'psst'),
      () => bob.say('general', 'lunch', '@**all** hi'),
      ([, second]) => bob.patch(`/messages/${second}`, { content: 'no mention any more' }),
      ([, second]) => bob.patch(`/messages/${second}`, { topic: 'dinner', propagate_mode: 'change_all' }),
      ([first]) => ann.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }),
      ([first]) => ann.post('/messages/flags', { messages: [first], op: 'remove', flag: 'read' }),
      () => ann.say('general', 'dinner', 'my own'),
      ([first]) => bob.delete(`/messages/${first}`),
      () => ann.post('/mark_stream_as_read', { stream_id: subscriptions[0].stream_id }),
    ]
    const ids = [await bob.tell([ann], 'first'), await bob.say('general', 'lunch', 'second @**Ann**')]
    let kept = await unreadOf(ann)
    for (const step of steps) {
      await step(ids)
      kept = await caughtUp(kept, ann)
      expect(kept).toEqual(peek(server, ann))
    }
    expect(kept.count).toBe(1)
  })
})

type UnreadEvent = EventOf<'message' | 'update_message' | 'update_message_flags' | 'delete_message'>

async function caughtUp(kept: UnreadSnapshot, person: Person): Promise<UnreadSnapshot> {
  const told = new Set(['message', 'update_message', 'update_message_flags', 'delete_message'])
  return (await person.events())
    .filter(({ type }) => told.has(type))
    .reduce((part, event) => applyToUnread(part, event as unknown as UnreadEvent, person.id), kept)
}

function peek(server: TestServer, person: Person, limit?: number): UnreadSnapshot {
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  return unreadSnapshot(ctx, currentUser(ctx.db, person.id), true, limit)
}

test('starred messages and recent conversations', async () => {
  const { ann, bob, cy } = await office()
  const first = await bob.tell([ann], 'one')
  const second = await cy.tell([ann, bob], 'two')
  const star = await ann.say('general', 'lunch', 'three')
  await ann.post('/messages/flags', { messages: [star, first], op: 'add', flag: 'starred' })
  const snapshot = await ann.post('/register', {
    fetch_event_types: ['starred_messages', 'recent_private_conversations'],
  })
  expect(snapshot).toMatchObject({
    starred_messages: [first, star],
    recent_private_conversations: [
      { user_ids: [bob.id, cy.id].sort((a, b) => a - b), max_message_id: second },
      { user_ids: [bob.id], max_message_id: first },
    ],
  })
  expect(await bob.post('/register', { fetch_event_types: ['starred_messages'] })).toMatchObject({
    starred_messages: [],
  })
})

test('who may know of a private channel but not read it has nothing unread there, until it opens again', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann', 'administrator')
  await owner.join('plans', { principals: [ann.id, owner.id] })
  const [{ stream_id }] = (await ann.get('/users/me/subscriptions'))['subscriptions']
  const id = await ann.say('plans', 't', 'hello')
  const leave = () => owner.delete('/users/me/subscriptions', { subscriptions: ['plans'] })
  const unread = async () =>
    (await owner.post('/register', { fetch_event_types }))['unread_msgs'].streams.flatMap(
      ({ unread_message_ids }: { unread_message_ids: number[] }) => unread_message_ids,
    )
  // Public: whoever leaves may go on reading.
  await expectConverges(owner, leave)
  expect(await unread()).toContain(id)
  await ann.listen({ event_types: ['update_message_flags'] })
  await expectConverges(owner, () => owner.patch(`/streams/${stream_id}`, { is_private: true }))
  expect(await unread()).toEqual([])
  await expectConverges(owner, () => ann.join('plans', { principals: [owner.id] }))
  expect(await unread()).toContain(id)
  await expectConverges(owner, leave)
  expect(await unread()).toEqual([])
  await expectConverges(owner, () => ann.patch(`/streams/${stream_id}`, { is_private: false }))
  expect(await unread()).toContain(id)
  expect(await ann.events()).toEqual([])
})
