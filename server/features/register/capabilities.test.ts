/** What the capabilities change that clients declare, where no one feature's tests say it. */
import { expect, test } from 'vitest'
import { boot, type Params, type Person } from '../../test/boot.ts'

const snapshotWith = (person: Person, client_capabilities: Params, params: Params = {}) =>
  person.post('/register', { client_capabilities, ...params })

test('notification_settings_null: without it, what was not chosen for a channel is what is inherited', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.patch('/settings', { enable_stream_desktop_notifications: true, wildcard_mentions_notify: false })
  const old = await server.listenAs('ann', 'member', {
    event_types: ['subscription'],
    client_capabilities: {},
  })
  const modern = await server.listenAs('ann', 'member', {
    event_types: ['subscription'],
    client_capabilities: { notification_settings_null: true },
  })
  await ann.join(['general', 'left'])
  const [{ stream_id }] = (await ann.get('/users/me/subscriptions'))['subscriptions']
  const chosen = { stream_id, property: 'email_notifications', value: true }
  await ann.post('/users/me/subscriptions/properties', { subscription_data: [chosen] })
  await ann.delete('/users/me/subscriptions', { subscriptions: ['left'] })

  const unset = {
    desktop_notifications: null,
    email_notifications: null,
    push_notifications: null,
    audible_notifications: null,
    wildcard_mentions_notify: null,
  }
  const inherited = {
    desktop_notifications: true,
    email_notifications: false,
    push_notifications: false,
    audible_notifications: false,
    wildcard_mentions_notify: false,
  }
  const fetch_event_types = ['subscription']
  for (const [listener, capable, values] of [
    [modern, true, unset],
    [old, false, inherited],
  ] as const) {
    const [added] = await listener.events()
    expect(added).toMatchObject({ op: 'add', subscriptions: [values] })
    const client_capabilities = { notification_settings_null: capable }
    expect(await ann.post('/register', { fetch_event_types, client_capabilities })).toMatchObject({
      subscriptions: [{ name: 'general', ...values, email_notifications: true }],
      unsubscribed: [{ name: 'left', ...values }],
    })
  }
})

test('user_avatar_url_field_optional: the picture is there with and without it', async () => {
  const ann = await (await boot()).as('ann')
  for (const user_avatar_url_field_optional of [true, false]) {
    const fetch_event_types = ['realm_user']
    const params = { fetch_event_types, client_extavatar: false }
    const { realm_users } = await snapshotWith(ann, { user_avatar_url_field_optional }, params)
    for (const user of realm_users) expect(user.avatar_url).toMatch(/^http/)
  }
})

test('empty_topic_name: without it every part of the snapshot names the empty topic', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general', { principals: [ann.id, bob.id] })
  const [{ stream_id }] = (await bob.get('/users/me/subscriptions'))['subscriptions']
  await ann.say('general', '', 'hello')
  await bob.post('/user_topics', { stream_id, topic: '', visibility_policy: 1 })
  const draft = { type: 'stream', to: [stream_id], topic: '', content: 'c', timestamp: 1_700_000_000 }
  await bob.post('/drafts', { drafts: [draft] })
  await bob.post('/scheduled_messages', {
    type: 'channel',
    to: stream_id,
    topic: '',
    content: 'c',
    scheduled_delivery_timestamp: 4_000_000_000,
  })
  const named = (topic: string) => ({
    unread_msgs: { streams: [{ topic }] },
    user_topics: [{ topic_name: topic }],
    muted_topics: [['general', topic, expect.any(Number)]],
    drafts: [{ topic }],
    scheduled_messages: [{ topic }],
  })
  const old = await snapshotWith(bob, {})
  expect(old).toMatchObject(named(old['realm_empty_topic_display_name']))
  const fetch_event_types = [
    'message',
    'update_message_flags',
    'muted_topics',
    'drafts',
    'scheduled_messages',
  ]
  const { user_topics: _none, ...rest } = named('')
  expect(await snapshotWith(bob, { empty_topic_name: true }, { fetch_event_types })).toMatchObject(rest)
  expect(await snapshotWith(bob, { empty_topic_name: true })).toMatchObject({
    user_topics: [{ topic_name: '' }],
  })
})

test('archived_channels: a channel that is archived goes from clients without it, and stays for the others', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.join('old')
  const [{ stream_id }] = (await ann.get('/users/me/subscriptions'))['subscriptions']
  const types = ['stream', 'subscription']
  const listeners = await Promise.all(
    [true, false].map((archived_channels) =>
      server.listenAs('ann', 'member', { event_types: types, client_capabilities: { archived_channels } }),
    ),
  )
  await ann.delete(`/streams/${stream_id}`)
  // No event of this level tells archived from deleted.
  for (const listener of listeners) {
    expect(await listener.events()).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [stream_id] }])
  }
  const fetch_event_types = ['subscription']
  expect((await snapshotWith(ann, {}, { fetch_event_types }))['subscriptions']).toEqual([])
  expect(await snapshotWith(ann, { archived_channels: true }, { fetch_event_types })).toMatchObject({
    subscriptions: [{ stream_id, is_archived: true }],
  })
})

test('what no client can declare is ignored', async () => {
  const ann = await (await boot()).as('ann')
  await snapshotWith(ann, { simplified_presence_events: true, nonsense: true }, { fetch_event_types: [] })
})

test('all_public_streams: not for guests, nor for those who became one', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.patch('/realm', { enable_spectator_access: true })
  const register = { all_public_streams: true, event_types: ['message'] }
  const guest = await server.listenAs('gus', 'guest', register)
  const bob = await server.listenAs('bob', 'member', register)
  const stranger = await server.listenAs('zoe', 'member', register, 'other')
  await owner.join('open')
  await owner.join('web', { is_web_public: true })
  await guest.events()
  await bob.events()
  await owner.say('open', 't', 'one')
  expect(await guest.events()).toEqual([])
  expect(await bob.events()).toMatchObject([{ message: { content: 'one' } }])
  await owner.patch(`/users/${bob.id}`, { role: 600 })
  await owner.say('open', 't', 'two')
  await owner.say('web', 't', 'three')
  expect(await bob.events()).toEqual([])
  expect(await stranger.events()).toEqual([])
  await owner.join('open', { principals: [bob.id, guest.id] })
  await owner.say('open', 't', 'four')
  for (const person of [bob, guest]) {
    const said = (await person.events()).filter(({ message }) => message.type === 'stream')
    expect(said).toMatchObject([{ message: { content: 'four' }, flags: [] }])
  }
})

test('narrow: it says which messages come, and nothing of other events', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.listenAs('bob', 'member', {
    narrow: [['is', 'dm']],
    event_types: ['message', 'reaction', 'update_message', 'subscription'],
  })
  await ann.join('general', { principals: [ann.id, bob.id] })
  const id = await ann.say('general', 't', 'hello')
  await ann.post(`/messages/${id}/reactions`, { emoji_name: 'heart' })
  await ann.patch(`/messages/${id}`, { content: 'hi' })
  await ann.tell([bob], 'psst')
  const events = await bob.events()
  const messages = events.filter(({ type }) => type === 'message')
  for (const { message } of messages) expect(message).toMatchObject({ type: 'private' })
  expect(messages).toContainEqual(
    expect.objectContaining({ message: expect.objectContaining({ content: 'psst' }) }),
  )
  const types = events.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['subscription', 'reaction', 'update_message']))
})
