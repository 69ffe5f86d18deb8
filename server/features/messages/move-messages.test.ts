import { describe, expect, test } from 'vitest'
import { boot, type Params, type Person, type TestServer } from '../../test/boot.ts'

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

const nobody = { direct_members: [], direct_subgroups: [] }
/** Events of channels have tests of their own. */
const event_types = ['message', 'update_message', 'delete_message', 'update_message_flags', 'user_topic']
const aboutMessages = { event_types }
const quiet = { send_notification_to_new_thread: false }
const newest = { anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true }

/** Ann, Bob and the owner; Ann and Bob are in both channels, Cat only in `general`, Dan only in `other`. */
async function office(options: Parameters<typeof boot>[1] = {}) {
  const server = await boot({}, options)
  const owner = await server.owner()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const cat = await server.as('cat')
  const dan = await server.as('dan')
  await ann.join('general', { principals: [ann.id, bob.id, cat.id] })
  await ann.join('other', { principals: [ann.id, bob.id, dan.id] })
  const [general, other] = await channelIds(ann)
  return { server, owner, ann, bob, cat, dan, general, other }
}

const channelIds = async (person: Person): Promise<number[]> =>
  (await person.get('/streams'))['streams'].map(({ stream_id }: { stream_id: number }) => stream_id)

/** Topics with their messages, as somebody reads them in a channel. */
async function topicsIn(person: Person, channel: number): Promise<Record<string, string[]>> {
  const narrow = [{ operator: 'channel', operand: channel }]
  const { messages } = await person.get('/messages', { ...newest, narrow, apply_markdown: false })
  const topics: Record<string, string[]> = {}
  for (const { subject, content } of messages) (topics[subject] ??= []).push(content)
  return topics
}

const messageFor = async (person: Person, id: number) =>
  (await person.get(`/messages/${id}`, { allow_empty_topic_name: true }))['message']

/** Four messages of two people in one topic, and one in another. */
async function conversation(ann: Person, bob: Person): Promise<number[]> {
  const ids: number[] = []
  for (const [person, text] of [
    [ann, 'one'],
    [bob, 'two'],
    [ann, 'three'],
    [bob, 'four'],
  ] as const) {
    ids.push(await person.say('general', 'plans', text))
  }
  await ann.say('general', 'elsewhere', 'stays')
  return ids
}

describe('moving to another topic', () => {
  test.each([
    ['change_one', { plans: ['one', 'three', 'four'], elsewhere: ['stays'], trips: ['two'] }],
    ['change_later', { plans: ['one'], elsewhere: ['stays'], trips: ['two', 'three', 'four'] }],
    ['change_all', { elsewhere: ['stays'], trips: ['one', 'two', 'three', 'four'] }],
  ])('%s', async (propagate_mode, topics) => {
    const { ann, bob, dan, general } = await office()
    const ids = await conversation(ann, bob)
    await bob.listen()
    await dan.listen()
    await ann.patch(`/messages/${ids[1]}`, { topic: 'trips', propagate_mode, ...quiet })
    expect(await topicsIn(bob, general ?? 0)).toEqual(topics)
    const moved = ids
      .slice(0, propagate_mode === 'change_one' ? 2 : 4)
      .slice(propagate_mode === 'change_all' ? 0 : 1)
    const [event, ...more] = await bob.events()
    expect(more).toEqual([])
    expect(event).toEqual({
      id: 0,
      type: 'update_message',
      user_id: ann.id,
      edit_timestamp: expect.any(Number),
      message_id: ids[1],
      message_ids: moved,
      rendering_only: false,
      flags: expect.any(Array),
      stream_id: general,
      stream_name: 'general',
      orig_subject: 'plans',
      subject: 'trips',
      topic_links: [],
      propagate_mode,
    })
    expect(await dan.events()).toEqual([])
    for (const id of moved) {
      const message = await messageFor(ann, id)
      const timestamp = event?.['edit_timestamp']
      expect(message.edit_history).toEqual([
        { user_id: ann.id, timestamp, prev_topic: 'plans', topic: 'trips' },
      ])
      expect(message.last_moved_timestamp).toBe(timestamp)
      expect(message).not.toHaveProperty('last_edit_timestamp')
    }
  })

  test('the old name of the parameter, and the names of the empty topic', async () => {
    const { ann, bob, general } = await office()
    const ids = await conversation(ann, bob)
    const old = await bob.listen({ client_capabilities: {} })
    expect(old['queue_id']).toBeTypeOf('string')
    await ann.patch(`/messages/${ids[0]}`, {
      subject: 'general chat',
      propagate_mode: 'change_all',
      ...quiet,
    })
    expect(await topicsIn(bob, general ?? 0)).toEqual({
      '': ['one', 'two', 'three', 'four'],
      elsewhere: ['stays'],
    })
    await ann.patch(`/messages/${ids[0]}`, { topic: 'back', ...quiet })
    expect(await bob.events()).toMatchObject([
      { orig_subject: 'plans', subject: 'general chat' },
      { orig_subject: 'general chat', subject: 'back' },
    ])
  })

  test.each(['', '(no topic)', 'general chat'])('to %j where topics are required', async (topic) => {
    const { server, ann, bob } = await office()
    const [id] = await conversation(ann, bob)
    await configure(server, { mandatory_topics: true })
    await ann.refused('PATCH', `/messages/${id}`, { topic }, 'BAD_REQUEST')
  })

  test('another case is a new name; the topic is told where it came from', async () => {
    const { ann, bob, general } = await office()
    const [id] = await conversation(ann, bob)
    await ann.patch(`/messages/${id}`, { topic: 'Plans', propagate_mode: 'change_all' })
    expect((await topicsIn(bob, general ?? 0))['Plans']).toEqual([
      'one',
      'two',
      'three',
      'four',
      `This topic was moved here from #**general>plans** by @_**Ann|${ann.id}**.`,
    ])
  })

  test.each(['a**b', 'a@12', 'a*', 'x > y'])(
    'the topic is told where it came from, also from %j',
    async (topic) => {
      const { ann, bob, general } = await office()
      const id = await ann.say('general', topic, 'text')
      await ann.patch(`/messages/${id}`, { topic: 'next' })
      const narrow = [{ operator: 'channel', operand: general }]
      const { messages } = await bob.get('/messages', { ...newest, narrow })
      const address = encodeURIComponent(topic).replaceAll('*', '%2A').replaceAll('%', '.')
      expect(messages.at(-1).content).toContain(`href="/#narrow/channel/${general}-general/topic/${address}"`)
      expect(messages.at(-1).content).toContain(`#general &gt; ${topic.replace('>', '&gt;')}</a>`)
    },
  )

  test('takes along what people chose for the topic, when nothing of it is left', async () => {
    const { ann, bob, cat, general } = await office()
    const ids = await conversation(ann, bob)
    await bob.post('/user_topics', { stream_id: general, topic: 'plans', visibility_policy: 3 })
    await bob.listen({ event_types: ['user_topic'] })
    await cat.listen({ event_types: ['user_topic'] })
    const move = { topic: 'trips', propagate_mode: 'change_later', ...quiet }
    await ann.patch(`/messages/${ids[1]}`, move)
    expect(await bob.events()).toEqual([])
    await ann.patch(`/messages/${ids[0]}`, move)
    expect(await bob.events()).toMatchObject([
      { topic_name: 'plans', visibility_policy: 0 },
      { topic_name: 'trips', visibility_policy: 3 },
    ])
    expect(await cat.events()).toEqual([])
  })

  test('is not for direct messages', async () => {
    const { ann, bob, other } = await office()
    const id = await ann.tell([bob], 'psst')
    for (const params of [{ topic: 't' }, { stream_id: other }, { topic: 't', content: 'new' }]) {
      await ann.refused('PATCH', `/messages/${id}`, params, 'BAD_REQUEST')
    }
  })

  test('by those whom the organization lets', async () => {
    const { server, ann, bob } = await office()
    const [id] = await conversation(bob, ann)
    await configure(server, {
      can_move_messages_between_topics_group: { direct_members: [ann.id], direct_subgroups: [] },
    })
    await bob.refused('PATCH', `/messages/${id}`, { topic: 'trips' }, 'BAD_REQUEST')
    await ann.patch(`/messages/${id}`, { topic: 'trips' })
  })

  test('not out of an archived channel', async () => {
    const { owner, ann, bob, general, other } = await office()
    const [id] = await conversation(ann, bob)
    await owner.delete(`/streams/${general}`)
    for (const params of [{ topic: 'trips' }, { stream_id: other }, { content: 'new' }]) {
      await ann.refused('PATCH', `/messages/${id}`, params, 'BAD_REQUEST')
    }
  })
})

describe('the time limits', () => {
  const limit = (within: number, between: number) => ({
    move_messages_within_stream_limit_seconds: within,
    move_messages_between_streams_limit_seconds: between,
  })
  /** Messages sent at 0, 100, 200 and 300 seconds; it is 300 now. */
  async function aging() {
    let now = 1_800_000_000_000
    const all = await office({ now: () => now })
    const { server, ann } = all
    const ids: number[] = []
    for (const text of ['one', 'two', 'three', 'four']) {
      if (ids.length > 0) now += 100_000
      ids.push(await ann.say('general', 'plans', text))
    }
    await configure(server, limit(200, 100))
    return { ...all, ids }
  }

  test('what is too old within the channel', async () => {
    const { ann, ids, general } = await aging()
    const all = { topic: 'trips', propagate_mode: 'change_all' }
    const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
    expect(await ann.refused('PATCH', `/messages/${ids[2]}`, all, code)).toMatchObject({
      first_message_id_allowed_to_move: ids[1],
      total_messages_in_topic: 4,
      total_messages_allowed_to_move: 3,
    })
    expect(await topicsIn(ann, general ?? 0)).toEqual({ plans: ['one', 'two', 'three', 'four'] })
    await ann.refused('PATCH', `/messages/${ids[0]}`, { topic: 'trips' }, code)
    // What the error proposes works.
    await ann.patch(`/messages/${ids[1]}`, { topic: 'trips', propagate_mode: 'change_later', ...quiet })
    expect(await topicsIn(ann, general ?? 0)).toEqual({ plans: ['one'], trips: ['two', 'three', 'four'] })
  })

  test('what is too old between channels, and where nothing is new enough', async () => {
    const { server, ann, ids, other } = await aging()
    const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
    const away = { stream_id: other, propagate_mode: 'change_all' }
    expect(await ann.refused('PATCH', `/messages/${ids[3]}`, away, code)).toMatchObject({
      first_message_id_allowed_to_move: ids[2],
      total_messages_allowed_to_move: 2,
    })
    // Both limits hold for who changes both.
    await configure(server, limit(50, 400))
    expect(await ann.refused('PATCH', `/messages/${ids[3]}`, { ...away, topic: 'u' }, code)).toMatchObject({
      first_message_id_allowed_to_move: ids[3],
    })
    await ann.patch(`/messages/${ids[1]}`, { stream_id: other, ...quiet })
    await configure(server, limit(1, 1))
    const late = await server.as('bob')
    expect(await late.refused('PATCH', `/messages/${ids[0]}`, { topic: 'u' }, code)).toMatchObject({
      first_message_id_allowed_to_move: ids[3],
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 1,
    })
  })

  test('moderators and administrators are exempt; no limit is none', async () => {
    const { server, ann, ids, other } = await aging()
    for (const [i, role] of (['moderator', 'administrator'] as const).entries()) {
      const person = await server.as(role, role)
      await person.join(['general', 'other'])
      await person.patch(`/messages/${ids[i]}`, { topic: 'trips', ...quiet })
      await person.patch(`/messages/${ids[i]}`, { stream_id: other, ...quiet })
    }
    const { database } = server.running.server
    database.transact(() => {
      const settings = JSON.stringify({ move_messages_within_stream_limit_seconds: null })
      database.run("UPDATE realms SET settings = ? WHERE string_id = 'test'", [settings])
    })
    const old = await ann.say('general', 'plans', 'five')
    await ann.patch(`/messages/${old}`, { topic: 'trips', propagate_mode: 'change_all' })
  })

  test('resolving has none', async () => {
    const { ann, ids, general } = await aging()
    await ann.patch(`/messages/${ids[0]}`, { topic: '✔ plans', propagate_mode: 'change_all' })
    expect(Object.keys(await topicsIn(ann, general ?? 0))).toEqual(['✔ plans'])
  })
})

describe('resolving a topic', () => {
  test('is told in it, and counts as no move', async () => {
    const { ann, bob, general } = await office()
    const ids = await conversation(ann, bob)
    await bob.listen(aboutMessages)
    const all = { propagate_mode: 'change_all', send_notification_to_old_thread: true }
    await ann.patch(`/messages/${ids[0]}`, { topic: '✔ plans', ...all })
    const done = `@_**Ann|${ann.id}** has marked this topic as resolved.`
    expect(await bob.events()).toMatchObject([
      { type: 'update_message', orig_subject: 'plans', subject: '✔ plans', message_ids: ids },
      { type: 'message', message: { subject: '✔ plans', content: done } },
    ])
    expect(await topicsIn(bob, general ?? 0)).toEqual({
      '✔ plans': ['one', 'two', 'three', 'four', done],
      elsewhere: ['stays'],
    })
    await bob.patch(`/messages/${ids[0]}`, { topic: 'plans', ...all })
    expect((await topicsIn(bob, general ?? 0))['plans']?.at(-1)).toBe(
      `@_**Bob|${bob.id}** has marked this topic as unresolved.`,
    )
    const message = await messageFor(bob, ids[0] ?? 0)
    expect(message.edit_history).toMatchObject([{ topic: 'plans' }, { topic: '✔ plans' }])
    expect(message).not.toHaveProperty('last_moved_timestamp')
  })

  test('of the longest name shortens it, so that the mark fits', async () => {
    const { ann, bob } = await office()
    const name = `${'😀'.repeat(59)}x`
    const id = await ann.say('general', name, 'text')
    await ann.say('general', name, 'more')
    await bob.listen(aboutMessages)
    await ann.patch(`/messages/${id}`, { topic: `✔ ${name}`, propagate_mode: 'change_all' })
    const subject = `✔ ${'😀'.repeat(57)}…`
    expect(await bob.events()).toMatchObject([
      { type: 'update_message', orig_subject: name, subject },
      {
        type: 'message',
        message: { subject, content: `@_**Ann|${ann.id}** has marked this topic as resolved.` },
      },
    ])
    expect(await messageFor(bob, id)).not.toHaveProperty('last_moved_timestamp')
    // Any other name has to fit.
    await ann.refused('PATCH', `/messages/${id}`, { topic: `✔ y${name}` }, 'BAD_REQUEST')
  })

  test('takes its own permission, and none for moving', async () => {
    const { server, ann, bob } = await office()
    const [id] = await conversation(ann, bob)
    const all = { propagate_mode: 'change_all' }
    await configure(server, { can_move_messages_between_topics_group: nobody })
    await ann.refused('PATCH', `/messages/${id}`, { ...all, topic: '✔ trips' }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/messages/${id}`, { topic: '✔ plans' }, 'BAD_REQUEST')
    await ann.patch(`/messages/${id}`, { ...all, topic: '✔ plans' })
    await configure(server, {
      can_resolve_topics_group: nobody,
      can_move_messages_between_topics_group: { direct_members: [ann.id], direct_subgroups: [] },
    })
    await ann.refused('PATCH', `/messages/${id}`, { ...all, topic: 'plans' }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/messages/${id}`, { ...all, topic: 'trips' }, 'BAD_REQUEST')
    await ann.patch(`/messages/${id}`, { ...all, topic: '✔ trips' })
  })

  test.each(['✔ ', '✔', '✔ general chat', '✔ (no topic)'])('the empty one cannot be: %j', async (topic) => {
    const { ann, general } = await office()
    const id = await ann.say('general', '', 'text')
    await ann.refused('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' }, 'BAD_REQUEST')
    expect(await topicsIn(ann, general ?? 0)).toEqual({ '': ['text'] })
  })
})

describe('moving to another channel', () => {
  test('with its topic, or to another one', async () => {
    const { ann, bob, cat, dan, general, other } = await office()
    const ids = await conversation(ann, bob)
    for (const person of [bob, cat, dan]) await person.listen(aboutMessages)
    await ann.patch(`/messages/${ids[1]}`, { stream_id: other, propagate_mode: 'change_later', ...quiet })
    const event = {
      type: 'update_message',
      message_ids: ids.slice(1),
      stream_id: general,
      new_stream_id: other,
      orig_subject: 'plans',
    }
    for (const person of [bob, cat, dan]) {
      const events = await person.events()
      expect(events).toMatchObject([event])
      expect(events[0]).not.toHaveProperty('subject')
    }
    expect(await topicsIn(dan, other ?? 0)).toEqual({ plans: ['two', 'three', 'four'] })
    await ann.patch(`/messages/${ids[0]}`, { stream_id: other, topic: 'old', ...quiet })
    expect(await bob.events()).toMatchObject([{ ...event, message_ids: [ids[0]], subject: 'old' }])
    const message = await messageFor(ann, ids[0] ?? 0)
    expect(message).toMatchObject({ stream_id: other, display_recipient: 'other', subject: 'old' })
    expect(message.edit_history).toEqual([
      {
        user_id: ann.id,
        timestamp: expect.any(Number),
        prev_stream: general,
        stream: other,
        prev_topic: 'plans',
        topic: 'old',
      },
    ])
  })

  test('both channels are told where asked for', async () => {
    const { ann, bob, general, other } = await office()
    const ids = await conversation(ann, bob)
    const told = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
    const who = `@_**Ann|${ann.id}**`
    await ann.patch(`/messages/${ids[0]}`, { stream_id: other })
    await ann.patch(`/messages/${ids[2]}`, { stream_id: other, propagate_mode: 'change_later', ...told })
    expect((await topicsIn(ann, general ?? 0))['plans']).toEqual([
      'two',
      `2 messages were moved from this topic to #**other>plans** by ${who}.`,
    ])
    expect((await topicsIn(ann, other ?? 0))['plans']).toEqual([
      'one',
      'three',
      'four',
      `A message was moved here from #**general>plans** by ${who}.`,
      `2 messages were moved here from #**general>plans** by ${who}.`,
    ])
  })

  test('carries over what was read, starred and reacted to', async () => {
    const { server, ann, bob, cat, dan, other } = await office()
    const ids = await conversation(ann, bob)
    const flag = (person: Person, messages: unknown[], name: string) =>
      person.post('/messages/flags', { messages, op: 'add', flag: name })
    await flag(cat, [ids[0], ids[2]], 'read')
    await flag(cat, [ids[3]], 'starred')
    await flag(bob, ids, 'read')
    await cat.listen(aboutMessages)
    await bob.listen(aboutMessages)
    await ann.patch(`/messages/${ids[0]}`, { stream_id: other, propagate_mode: 'change_all', ...quiet })
    const flagsOf = async (person: Person) => {
      const { messages } = await person.get('/messages', { ...newest, narrow: [['channel', 'other']] })
      return messages.map(({ flags }: { flags: string[] }) => flags)
    }
    const expected = [['read'], [], ['read'], ['starred']]
    expect(await flagsOf(cat)).toEqual(expected)
    expect(await flagsOf(bob)).toEqual([['read'], ['read'], ['read'], ['read']])
    // Who was not in the channel has received nothing, and has nothing to read.
    expect(await flagsOf(dan)).toEqual(Array(4).fill(['read', 'historical']))
    expect((await cat.events())[0]).toMatchObject({ flags: ['read'] })
    // Reading goes on as before, here and in the channel they came from, and so it does for what is sent next.
    await flag(cat, [ids[1]], 'read')
    await cat.say('general', 'plans', 'five')
    expect(await flagsOf(cat)).toEqual([['read'], ['read'], ['read'], ['starred']])
    expect((await ann.get(`/messages/${ids[3]}/read_receipts`))['user_ids']).not.toContain(cat.id)
    await cat.post('/mark_all_as_read')
    expect(await flagsOf(cat)).toEqual([['read'], ['read'], ['read'], ['read', 'starred']])
    expect((await ann.get(`/messages/${ids[3]}/read_receipts`))['user_ids']).toContain(cat.id)
    const { messages } = await cat.get('/messages', { ...newest, narrow: [] })
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(ids))
    const { database } = server.running.server
    expect(database.all('SELECT * FROM read_exceptions WHERE user_id = ?', [cat.id])).toEqual([])
    // And back again: all as if it had never been away.
    await ann.patch(`/messages/${ids[0]}`, {
      stream_id: (await channelIds(ann))[0],
      propagate_mode: 'change_all',
      ...quiet,
    })
    expect(database.all('SELECT id FROM messages WHERE received_in IS NOT NULL')).toEqual([])
    expect((await messageFor(cat, ids[3] ?? 0)).flags).toEqual(['read', 'starred'])
  })

  test('both channels have the right first message and traffic', async () => {
    const { server, ann, bob, other } = await office()
    const first = async () =>
      (await ann.get('/streams'))['streams'].map(
        ({ first_message_id }: Record<string, number>) => first_message_id,
      )
    const traffic = () =>
      server.running.server.database.all('SELECT messages FROM channel_traffic ORDER BY channel_id')
    const ids = await conversation(ann, bob)
    const later = await ann.say('other', 'x', 'later')
    expect(await first()).toEqual([ids[0], later])
    expect(traffic()).toEqual([{ messages: 5 }, { messages: 1 }])
    await ann.patch(`/messages/${ids[1]}`, { stream_id: other, ...quiet })
    expect(await first()).toEqual([ids[0], ids[1]])
    await ann.patch(`/messages/${ids[0]}`, { stream_id: other, propagate_mode: 'change_all', ...quiet })
    expect(await first()).toEqual([later - 1, ids[0]])
    expect(traffic()).toEqual([{ messages: 1 }, { messages: 5 }])
  })

  test('by those whom the organization lets, to where they may write', async () => {
    const { server, owner, ann, bob, other } = await office()
    const [id] = await conversation(bob, ann)
    await owner.join('secret', { invite_only: true })
    await owner.join('closed', { principals: [owner.id, ann.id] })
    const [, , secret, closed] = await channelIds(owner)
    const gus = await server.as('gus', 'guest')
    await ann.join('general', { principals: [gus.id] })
    await gus.refused('PATCH', `/messages/${id}`, { stream_id: other }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/messages/${id}`, { stream_id: secret }, 'BAD_REQUEST')
    await configure(server, {
      can_move_messages_between_channels_group: { direct_members: [ann.id], direct_subgroups: [] },
      can_move_messages_between_topics_group: nobody,
    })
    await bob.refused('PATCH', `/messages/${id}`, { stream_id: other }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/messages/${id}`, { stream_id: other, topic: 'u' }, 'BAD_REQUEST')
    await owner.delete(`/streams/${closed}`)
    await ann.refused('PATCH', `/messages/${id}`, { stream_id: closed }, 'BAD_REQUEST')
    await ann.patch(`/messages/${id}`, { stream_id: other })
  })
})

describe('moving where not everybody may follow', () => {
  const deletion = (stream_id: number | undefined, message_ids: unknown[]) => ({
    type: 'delete_message',
    message_type: 'stream',
    stream_id,
    topic: 'plans',
    message_ids,
  })
  const bulk = { event_types, client_capabilities: { bulk_message_deletion: true, empty_topic_name: true } }

  test('into a private channel: who is not in it loses the messages', async () => {
    const { server, ann, bob, cat, general } = await office()
    const ids = await conversation(ann, bob)
    await ann.join('secret', {
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [ann.id, bob.id],
    })
    const [, , secret] = await channelIds(ann)
    for (const person of [ann, bob, cat]) await person.listen(bulk)
    const owner = await server.owner()
    await owner.listen(bulk)
    await ann.patch(`/messages/${ids[0]}`, {
      stream_id: secret,
      topic: 'hush',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    })
    const [edited, ...notices] = await bob.events()
    expect(edited).toMatchObject({ type: 'update_message', new_stream_id: secret, subject: 'hush' })
    expect(notices).toMatchObject([
      { message: { content: `This topic was moved to a private channel by @_**Ann|${ann.id}**.` } },
      { message: { content: `This topic was moved here from #**general>plans** by @_**Ann|${ann.id}**.` } },
    ])
    const forCat = await cat.events()
    expect(forCat).toMatchObject([deletion(general, ids), { type: 'message', message: { subject: 'plans' } }])
    expect(JSON.stringify(forCat)).not.toMatch(/hush|secret/)
    expect(await owner.events()).toEqual([])
    for (const id of ids) await cat.refused('GET', `/messages/${id}`, {}, 'BAD_REQUEST')
    const { messages } = await cat.get('/messages', { ...newest, narrow: [] })
    for (const message of messages) expect(ids).not.toContain(message.id)
    await cat.refused('PATCH', `/messages/${ids[0]}`, { topic: 'mine' }, 'BAD_REQUEST')
    expect(await topicsIn(bob, secret ?? 0)).toMatchObject({
      hush: ['one', 'two', 'three', 'four', expect.any(String)],
    })
  })

  test('guests lose what goes to a public channel they are not in', async () => {
    const { server, ann, bob, general, other } = await office()
    const gus = await server.as('gus', 'guest')
    await ann.join('general', { principals: [gus.id] })
    const ids = await conversation(ann, bob)
    await gus.listen(bulk)
    await ann.patch(`/messages/${ids[0]}`, { stream_id: other, propagate_mode: 'change_all' })
    expect(await gus.events()).toMatchObject([deletion(general, ids)])
    await gus.refused('GET', `/messages/${ids[0]}`, {}, 'BAD_REQUEST')
    const { messages } = await gus.get('/messages', { ...newest, narrow: [] })
    expect(messages.map(({ content }: { content: string }) => content)).not.toContain('<p>one</p>')
  })

  test('out of a private channel: its name and topics are not told to those outside', async () => {
    const { ann, bob, dan, other } = await office()
    await ann.join('secret', {
      invite_only: true,
      history_public_to_subscribers: true,
      principals: [ann.id, bob.id],
    })
    const [, , secret] = await channelIds(ann)
    const id = await ann.say('secret', 'hush', 'now for all')
    for (const person of [bob, dan]) await person.listen(aboutMessages)
    await ann.patch(`/messages/${id}`, { stream_id: other, topic: 'open' })
    expect(await bob.events()).toMatchObject([
      { type: 'update_message', stream_id: secret, new_stream_id: other },
      { type: 'message' },
    ])
    const forDan = await dan.events()
    expect(forDan).toMatchObject([
      {
        type: 'message',
        message: { content: `This topic was moved here from a private channel by @_**Ann|${ann.id}**.` },
      },
    ])
    expect(await topicsIn(dan, other ?? 0)).toMatchObject({ open: ['now for all', expect.any(String)] })
  })

  test('into protected history: who is there has it, who comes later has not', async () => {
    const { ann, bob, cat, dan, general } = await office()
    const ids = await conversation(ann, bob)
    await ann.join('secret', { invite_only: true, principals: [ann.id, dan.id] })
    const [, , secret] = await channelIds(ann)
    await bob.listen(bulk)
    await dan.listen(bulk)
    await ann.patch(`/messages/${ids[0]}`, { stream_id: secret, propagate_mode: 'change_all', ...quiet })
    expect(await bob.events()).toMatchObject([deletion(general, ids)])
    expect(await dan.events()).toMatchObject([
      { type: 'update_message', message_ids: ids, new_stream_id: secret },
    ])
    expect(await topicsIn(dan, secret ?? 0)).toEqual({ plans: ['one', 'two', 'three', 'four'] })
    // Those who lost it do not get it back by coming later, nor does anybody else.
    await ann.join('secret', { principals: [bob.id, cat.id] })
    for (const person of [bob, cat]) {
      expect(await topicsIn(person, secret ?? 0)).toEqual({})
      await person.refused('GET', `/messages/${ids[0]}`, {}, 'BAD_REQUEST')
      await person.listen(bulk)
    }
    await dan.patch(`/messages/${ids[0]}`, { topic: 'later', propagate_mode: 'change_all', ...quiet })
    expect(await bob.events()).toEqual([])
    expect(await cat.events()).toEqual([])
    expect((await dan.events()).at(-1)).toMatchObject({ subject: 'later', message_ids: ids })
    // Out again, it is everybody's.
    await ann.patch(`/messages/${ids[0]}`, { stream_id: general, propagate_mode: 'change_all', ...quiet })
    expect((await topicsIn(cat, general ?? 0))['later']).toEqual(['one', 'two', 'three', 'four'])
  })

  test('in protected history, what the mover cannot read stays, and is not counted', async () => {
    let now = 1_800_000_000_000
    const { server, ann, bob } = await office({ now: () => now })
    await ann.join('secret', { invite_only: true })
    const [, , secret] = await channelIds(ann)
    const before = await ann.say('secret', 'plans', 'before')
    await ann.join('secret', { principals: [bob.id] })
    now += 1000_000
    const mine = await ann.say('secret', 'plans', 'one')
    const later = await ann.say('secret', 'plans', 'two')
    await configure(server, { move_messages_within_stream_limit_seconds: 100 })
    await ann.listen()
    await bob.listen()
    await bob.patch(`/messages/${later}`, { topic: 'trips', propagate_mode: 'change_all', ...quiet })
    expect(await topicsIn(ann, secret ?? 0)).toEqual({ plans: ['before'], trips: ['one', 'two'] })
    expect(await bob.events()).toMatchObject([{ message_ids: [mine, later] }])
    await ann.events()
    // What somebody cannot read is not named to them.
    const owner = await server.as('ada', 'administrator')
    await ann.join('secret', { principals: [owner.id] })
    const last = await ann.say('secret', 'trips', 'three')
    await bob.events()
    await owner.listen()
    await configure(server, { move_messages_within_stream_limit_seconds: 10_000_000 })
    await ann.patch(`/messages/${mine}`, { topic: 'all', propagate_mode: 'change_all', ...quiet })
    expect(await owner.events()).toMatchObject([{ message_id: last, message_ids: [last] }])
    expect(await bob.events()).toMatchObject([{ message_id: mine, message_ids: [mine, later, last] }])
    await bob.refused('PATCH', `/messages/${before}`, { topic: 'x' }, 'BAD_REQUEST')
  })
})
