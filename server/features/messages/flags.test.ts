import { describe, expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'

const newest = { anchor: 'newest', num_before: 100, num_after: 0 }

/** Flags of everything the person received, oldest first. */
async function flagsOf(person: Person): Promise<string[][]> {
  const { messages } = await person.get('/messages', newest)
  return messages.map(({ flags }: { flags: string[] }) => flags)
}

async function office() {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join(['general', 'other'], { principals: [ann.id, bob.id] })
  const { messages } = await bob.get('/messages', newest)
  await bob.post('/messages/flags', {
    messages: messages.map(({ id }: { id: number }) => id),
    op: 'add',
    flag: 'read',
  })
  const ids: number[] = []
  for (const [channel, topic] of [
    ['general', 'a'],
    ['general', 'b'],
    ['general', 'a'],
    ['other', ''],
  ]) {
    ids.push(await ann.say(channel ?? '', topic ?? '', 'text'))
  }
  const [general, other] = (await ann.get('/streams'))['streams'].map(
    ({ stream_id }: { stream_id: number }) => stream_id,
  )
  await bob.listen({ client_capabilities: {} })
  return { server, ann, bob, ids, general, other }
}

/** Of the four messages, which are read. */
const readOf = async (person: Person) =>
  (await flagsOf(person)).slice(-4).map((flags) => flags.includes('read'))

describe('POST /messages/flags', () => {
  test('reading and unreading, in any order, tells only the reader', async () => {
    const { ann, bob, ids } = await office()
    await ann.listen()
    const change = (messages: number[], op: string) =>
      bob.post('/messages/flags', { messages, op, flag: 'read' })
    expect(await change([ids[2] ?? 0], 'add')).toMatchObject({ messages: [ids[2]] })
    expect(await readOf(bob)).toEqual([false, false, true, false])
    await change([ids[0] ?? 0, ids[1] ?? 0], 'add')
    expect(await readOf(bob)).toEqual([true, true, true, false])
    expect(await change([ids[1] ?? 0], 'remove')).toMatchObject({
      ignored_because_not_subscribed_channels: [],
    })
    expect(await readOf(bob)).toEqual([true, false, true, false])
    await change([ids[1] ?? 0], 'remove')
    await change(ids, 'add')
    expect(await readOf(bob)).toEqual([true, true, true, true])
    expect(await bob.events()).toMatchObject([
      { op: 'add', flag: 'read', messages: [ids[2]] },
      { op: 'add', flag: 'read', messages: [ids[0], ids[1]] },
      {
        op: 'remove',
        flag: 'read',
        messages: [ids[1]],
        message_details: { [ids[1] ?? 0]: { type: 'stream', topic: 'b' } },
      },
      { op: 'add', flag: 'read', messages: [ids[1], ids[3]] },
    ])
    expect(await ann.events()).toEqual([])
    expect(await readOf(ann)).toEqual([false, false, false, false])
  })

  test('what was read leaves no exceptions behind', async () => {
    const { server, bob, ids } = await office()
    for (const id of [ids[2], ids[0], ids[1], ids[3]]) {
      await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    }
    const { database } = server.running.server
    expect(database.all('SELECT * FROM read_exceptions WHERE user_id = ?', [bob.id])).toEqual([])
    expect(await readOf(bob)).toEqual([true, true, true, true])
  })

  test('stars, history too', async () => {
    const { server, ann, bob, ids } = await office()
    const cat = await server.as('cat')
    await bob.events()
    await cat.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' })
    const [message] = (await cat.get('/messages', { ...newest, narrow: [['channel', 'general']] }))[
      'messages'
    ]
    expect(message.flags).toEqual(['read', 'starred', 'historical'])
    await bob.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' })
    await bob.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' })
    await bob.post('/messages/flags', { messages: [ids[0]], op: 'remove', flag: 'starred' })
    expect(await bob.events()).toMatchObject([
      { op: 'add', flag: 'starred', messages: [ids[0]] },
      { op: 'remove', flag: 'starred', messages: [ids[0]] },
    ])
    expect((await flagsOf(ann)).flat()).not.toContain('starred')
  })

  test('unreading skips channels that were left, and says which', async () => {
    const { bob, ids, other } = await office()
    await bob.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
    await bob.delete('/users/me/subscriptions', { subscriptions: ['other'] })
    const reply = await bob.post('/messages/flags', { messages: ids, op: 'remove', flag: 'read' })
    expect(reply['ignored_because_not_subscribed_channels']).toEqual([other])
    expect(await readOf(bob)).toEqual([false, false, false, true])
  })

  test('the empty topic has a name for clients that need one', async () => {
    const { bob, ids } = await office()
    await bob.post('/messages/flags', { messages: [ids[3]], op: 'add', flag: 'read' })
    await bob.post('/messages/flags', { messages: [ids[3]], op: 'remove', flag: 'read' })
    const [, removed] = await bob.events()
    expect(removed?.['message_details'][ids[3] ?? 0].topic).toBe('general chat')
  })

  test.each([['mentioned'], ['historical'], ['has_alert_word'], ['nonsense']])(
    '%s cannot be set',
    async (flag) => {
      const { bob, ids } = await office()
      await bob.refused('POST', '/messages/flags', { messages: ids, op: 'add', flag }, 'BAD_REQUEST')
      expect(await bob.events()).toEqual([])
    },
  )

  test("others' messages are left alone", async () => {
    const { server, ann, bob } = await office()
    const secret = await ann.tell([ann], 'note')
    const reply = await bob.post('/messages/flags', { messages: [secret, 4711], op: 'add', flag: 'starred' })
    expect(reply['messages']).toEqual([])
    expect(server.running.server.database.all('SELECT * FROM message_flags')).toEqual([])
  })
})

describe('POST /messages/flags/narrow', () => {
  const range = { anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'read' }

  test('changes a range and tells what it did', async () => {
    const { bob, ids, general } = await office()
    const narrow = [{ operator: 'channel', operand: general }, ['topic', 'a']]
    expect(await bob.post('/messages/flags/narrow', { ...range, narrow })).toMatchObject({
      processed_count: 2,
      updated_count: 2,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
      found_oldest: true,
      found_newest: true,
    })
    expect(await readOf(bob)).toEqual([true, false, true, false])
    const one = { ...range, anchor: ids[0], num_after: 1, narrow: [['channel', 'general']] }
    expect(await bob.post('/messages/flags/narrow', one)).toMatchObject({
      processed_count: 2,
      updated_count: 1,
      found_newest: false,
    })
    expect(
      await bob.post('/messages/flags/narrow', { ...range, anchor: 'first_unread', narrow: [] }),
    ).toMatchObject({
      processed_count: 1,
      first_processed_id: ids[3],
    })
  })

  test('an empty range is no error', async () => {
    const { bob } = await office()
    const narrow = [
      ['channel', 'general'],
      ['topic', 'nothing'],
    ]
    expect(await bob.post('/messages/flags/narrow', { ...range, narrow, op: 'remove' })).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      ignored_because_not_subscribed_channels: [],
    })
  })

  test.each([
    { ...range, narrow: [], anchor: 'middle' },
    { ...range, narrow: [], num_after: -1 },
    { ...range, narrow: [], flag: 'mentioned' },
    { ...range, narrow: [], op: 'toggle' },
    { ...range, narrow: [['colour', 'red']] },
  ])('%j is refused', async (params) => {
    const { bob } = await office()
    await bob.refused('POST', '/messages/flags/narrow', params, 'BAD_REQUEST')
  })
})

test('the deprecated ways to mark much as read', async () => {
  const { bob, general } = await office()
  await bob.post('/mark_topic_as_read', { stream_id: general, topic_name: 'A' })
  expect(await readOf(bob)).toEqual([true, false, true, false])
  await bob.post('/mark_stream_as_read', { stream_id: general })
  expect(await readOf(bob)).toEqual([true, true, true, false])
  expect(await bob.post('/mark_all_as_read')).toMatchObject({ complete: true })
  expect(await readOf(bob)).toEqual([true, true, true, true])
  await bob.refused('POST', '/mark_stream_as_read', { stream_id: 4711 }, 'BAD_REQUEST')
})

test('read receipts name who has read, but for the sender, and who keeps that to themselves or is muted', async () => {
  const { server, ann, bob, ids } = await office()
  const cat = await server.as('cat')
  const receipts = async () => (await ann.get(`/messages/${ids[0]}/read_receipts`))['user_ids']
  expect(await receipts()).toEqual([])
  await bob.post('/messages/flags', { messages: [ids[0]], op: 'add', flag: 'read' })
  expect(await receipts()).toEqual([bob.id])
  await bob.patch('/settings', { send_read_receipts: false })
  expect(await receipts()).toEqual([])
  await bob.patch('/settings', { send_read_receipts: true })
  for (const [one, other] of [
    [ann, bob],
    [bob, ann],
  ] as const) {
    await one.post(`/users/me/muted_users/${other.id}`)
    expect(await receipts()).toEqual([])
    await one.delete(`/users/me/muted_users/${other.id}`)
    expect(await receipts()).toEqual([bob.id])
  }
  const secret = await ann.tell([ann], 'note')
  await cat.refused('GET', `/messages/${secret}/read_receipts`, {}, 'BAD_REQUEST')
})

test('POST /messages/render shows what a message would be', async () => {
  const { ann } = await office()
  expect(await ann.post('/messages/render', { content: '**hi**' })).toMatchObject({
    rendered: '<p><strong>hi</strong></p>',
  })
  await ann.refused('POST', '/messages/render', { content: 'x'.repeat(10_001) }, 'BAD_REQUEST')
})
