import { describe, expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

describe('a channel message', () => {
  test('reaches the subscribers, each with their own flags, and nobody else', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.listenAs('bob', 'member', { apply_markdown: true })
    const cat = await server.listenAs('cat')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await ann.join('general', { principals: [ann.id, bob.id] })
    await ann.listen()
    for (const person of [bob, cat]) await person.events()
    const fields = {
      type: 'channel',
      to: 'general',
      topic: 'plans',
      content: 'Hi **all**',
      read_by_sender: true,
    }
    const { id } = await ann.post('/messages', fields)
    const message = { id, type: 'stream', subject: 'plans', display_recipient: 'general', sender_id: ann.id }
    expect(await ann.events()).toMatchObject([
      {
        type: 'message',
        flags: ['read'],
        message: { ...message, content: 'Hi **all**', content_type: 'text/x-markdown' },
      },
      { type: 'user_topic', topic_name: 'plans', visibility_policy: 3 },
    ])
    expect(await bob.events()).toMatchObject([
      {
        type: 'message',
        flags: [],
        message: { ...message, content: '<p>Hi <strong>all</strong></p>', content_type: 'text/html' },
      },
    ])
    expect(await cat.events()).toEqual([])
    expect(await stranger.events()).toEqual([])
  })

  test('goes by name in any case, by id, and by a list of one', async () => {
    const ann = await (await boot()).as('ann')
    await ann.join('General')
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    for (const to of ['general', stream_id, ['GENERAL'], [stream_id]]) {
      for (const type of ['channel', 'stream'])
        await ann.post('/messages', { type, to, topic: 't', content: 'c' })
    }
  })

  test.each<[string, string, Record<string, unknown>]>([
    ['a missing topic', 'REQUEST_VARIABLE_MISSING', { topic: undefined }],
    ['a topic that is too long', 'BAD_REQUEST', { topic: 'x'.repeat(61) }],
    ['a topic with a line break', 'BAD_REQUEST', { topic: 'a\nb' }],
    ['no content', 'BAD_REQUEST', { content: ' \n ' }],
    ['content that is too long', 'BAD_REQUEST', { content: 'x'.repeat(10_001) }],
    ['a null byte', 'BAD_REQUEST', { content: 'a\0b' }],
    ['two channels', 'BAD_REQUEST', { to: ['general', 'other'] }],
    ['no channel', 'BAD_REQUEST', { to: [] }],
    ['an unknown type', 'BAD_REQUEST', { type: 'huddle' }],
    ['an unknown channel', 'STREAM_DOES_NOT_EXIST', { to: 'nothing' }],
    ['an unknown id', 'STREAM_DOES_NOT_EXIST', { to: 4711 }],
  ])('is refused with %s', async (_what, code, wrong) => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.join('general')
    await ann.listen()
    const fields = { type: 'channel', to: 'general', topic: 't', content: 'c', ...wrong }
    const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    await ann.refused('POST', '/messages', sent, code)
    expect(await ann.events()).toEqual([])
    const { messages } = await ann.get('/messages', { anchor: 'newest', num_before: 10, num_after: 10 })
    expect(messages).toEqual([])
  })

  test('the longest there may be is sent whole', async () => {
    const ann = await (await boot()).as('ann')
    await ann.join('general')
    const id = await ann.say('general', '🎉'.repeat(60), '🎉'.repeat(10_000))
    const { raw_content, message } = await ann.get(`/messages/${id}`)
    expect([...raw_content]).toHaveLength(10_000)
    expect([...message.subject]).toHaveLength(60)
  })

  test('a private channel does not exist for those outside', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('secret', { invite_only: true })
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    const fields = { type: 'channel', topic: 't', content: 'c' }
    expect(
      await bob.refused('POST', '/messages', { ...fields, to: 'secret' }, 'STREAM_DOES_NOT_EXIST'),
    ).toMatchObject({
      stream: 'secret',
    })
    expect(
      await bob.refused('POST', '/messages', { ...fields, to: stream_id }, 'STREAM_DOES_NOT_EXIST'),
    ).toMatchObject({
      stream_id,
    })
    const admin = await server.as('adam', 'administrator')
    await admin.refused('POST', '/messages', { ...fields, to: 'secret' }, 'BAD_REQUEST')
  })

  test('posting is for those who may', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    await owner.join('news', {
      principals: [owner.id, ann.id],
      can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
    })
    await owner.say('news', 't', 'c')
    await ann.refused(
      'POST',
      '/messages',
      { type: 'channel', to: 'news', topic: 't', content: 'c' },
      'BAD_REQUEST',
    )
  })

  test('guests write only where they are subscribed', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    await ann.join('general')
    const fields = { type: 'channel', to: 'general', topic: 't', content: 'c' }
    await gus.refused('POST', '/messages', fields, 'STREAM_DOES_NOT_EXIST')
    await ann.join('general', { principals: [gus.id] })
    await gus.post('/messages', fields)
  })

  test.each(['', '(no topic)', 'general chat'])('the topic %j is the empty one', async (topic) => {
    const server = await boot()
    const ann = await server.as('ann')
    const old = await server.listenAs('old', 'member', { client_capabilities: {} })
    await ann.join('general', { principals: [ann.id, old.id] })
    await ann.listen()
    await old.events()
    const id = await ann.say('general', topic, 'c')
    expect(await ann.events()).toMatchObject([{ message: { subject: '' } }, { topic_name: '' }])
    expect(await old.events()).toMatchObject([{ message: { subject: 'general chat' } }])
    expect(await ann.get(`/messages/${id}`)).toMatchObject({ message: { subject: 'general chat' } })
    expect(await ann.get(`/messages/${id}`, { allow_empty_topic_name: true })).toMatchObject({
      message: { subject: '' },
    })
  })

  test('queues for all public channels get it, with no word of private ones', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bot = await server.listenAs('bot', 'member', { all_public_streams: true, event_types: ['message'] })
    await ann.join('open')
    await ann.join('secret', { invite_only: true })
    await ann.say('open', 't', 'public')
    await ann.say('secret', 't', 'private')
    await ann.tell([ann], 'note to self')
    expect(await bot.events()).toMatchObject([
      { message: { content: 'public' }, flags: ['read', 'historical'] },
    ])
  })

  test('a narrowed queue gets what fits', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const narrow = [
      ['channel', 'general'],
      ['topic', 'Lunch'],
    ]
    const bob = await server.listenAs('bob', 'member', { narrow, event_types: ['message'] })
    await ann.join(['general', 'other'], { principals: [ann.id, bob.id] })
    await ann.say('general', 'lunch', 'yes')
    await ann.say('general', 'dinner', 'no')
    await ann.say('other', 'lunch', 'no')
    expect(await bob.events()).toMatchObject([{ message: { content: 'yes' } }])
  })

  test('local echo comes back to the queue that sent it, and to no other', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const second = await server.listenAs('ann')
    await ann.join('general')
    await ann.events()
    await second.events()
    const fields = { type: 'channel', to: 'general', topic: 't', content: 'c' }
    await ann.post('/messages', { ...fields, queue_id: ann.queueId, local_id: '17.01' })
    const [echo] = await ann.events()
    expect(echo).toMatchObject({ type: 'message', local_message_id: '17.01' })
    const [event] = await second.events()
    expect(event).not.toHaveProperty('local_message_id')
  })
})

describe('a direct message', () => {
  test('reaches everybody in it and nobody else', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const cat = await server.listenAs('cat')
    const owner = await server.owner()
    await owner.listen()
    for (const person of [ann, bob, cat]) await person.events()
    const id = await ann.tell([bob], 'psst')
    const [toAnn] = await ann.events()
    const [toBob] = await bob.events()
    expect(toBob).toMatchObject({
      flags: [],
      message: {
        id,
        type: 'private',
        subject: '',
        display_recipient: [
          { id: ann.id, email: ann.email, full_name: 'Ann', is_mirror_dummy: false },
          { id: bob.id, email: bob.email, full_name: 'Bob', is_mirror_dummy: false },
        ],
      },
    })
    expect(toBob?.['message']).not.toHaveProperty('stream_id')
    expect(await cat.events()).toEqual([])
    expect(await owner.events()).toEqual([])
    await bob.tell([ann], 'yes?')
    const [answer] = await ann.events()
    expect(answer?.['message'].recipient_id).toBe(toAnn?.['message'].recipient_id)
    await cat.refused('GET', `/messages/${id}`, {}, 'BAD_REQUEST')
    await owner.refused('GET', `/messages/${id}`, {}, 'BAD_REQUEST')
  })

  test('goes by ids, by addresses, by one of either, and to oneself', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const cat = await server.as('cat')
    const forms = [
      [bob.id, cat.id],
      [bob.email, cat.email],
      `${bob.email}, ${cat.email}`,
      bob.id,
      bob.email,
      [ann.id],
    ]
    for (const to of forms) {
      for (const type of ['direct', 'private']) await ann.post('/messages', { type, to, content: 'c' })
    }
    const { messages } = await ann.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
    const people = messages.map(
      (message: { display_recipient: unknown[] }) => message.display_recipient.length,
    )
    expect(people).toEqual([3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1])
  })

  test.each<[string, (ids: { gone: number; stranger: number }) => unknown]>([
    ['nobody', () => []],
    ['an unknown id', () => [4711]],
    ['an unknown address', () => ['nobody@test.example']],
    ["another realm's user", ({ stranger }) => [stranger]],
    ['a deactivated user', ({ gone }) => [gone]],
  ])('to %s is refused', async (_what, to) => {
    const server = await boot()
    const owner = await server.owner()
    const gone = await server.as('gone')
    const stranger = await server.as('zoe', 'member', 'other')
    await owner.delete(`/users/${gone.id}`)
    const fields = { type: 'direct', to: to({ gone: gone.id, stranger: stranger.id }), content: 'c' }
    await owner.refused('POST', '/messages', fields, 'BAD_REQUEST')
  })
})

test('what people write cannot become script', async () => {
  const ann = await (await boot()).as('ann')
  await ann.join('general')
  const attacks = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '![x](http://x/y.png)',
  ]
  for (const attack of attacks) {
    const { message } = await ann.get(`/messages/${await ann.say('general', 't', attack)}`)
    expect(message.content).not.toMatch(/<script|<img|href="javascript/i)
  }
})
