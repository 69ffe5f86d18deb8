import { describe, expect, test } from 'vitest'
import { boot, type Params, type Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const idOf = async (person: Person, stream: string): Promise<number> =>
  (await person.get('/get_stream_id', { stream }))['stream_id']

const show = async (person: Person, id: number) => (await person.get(`/streams/${id}`))['stream']

const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] })

const systemGroup = async (person: Person, name: string): Promise<number> => {
  const { user_groups } = await person.get('/user_groups')
  return user_groups.find((group: { name: string }) => group.name === name).id
}

const brief = async (person: Person) =>
  (await person.events()).map((event) =>
    [event.type, event['op'], event['property']].filter(Boolean).join(' '),
  )

async function office(server: TestServer) {
  const owner = await server.owner()
  const admin = await server.as('adam', 'administrator')
  const [ann, bob] = [await server.as('ann'), await server.as('bob')]
  const gus = await server.as('gus', 'guest')
  return { owner, admin, ann, bob, gus }
}

const setRealm = (server: TestServer, settings: object) => {
  const realm = server.realm('test')
  server.running.server.database.run('UPDATE realms SET settings = ? WHERE id = ?', [
    JSON.stringify({ ...realm.settings, ...settings }),
    realm.id,
  ])
}

describe('privacy', () => {
  test('a channel that closes is gone for outsiders; one that opens comes to them with its subscribers', async () => {
    const server = await boot()
    const { admin, ann, bob, gus } = await office(server)
    await ann.join('plans', { principals: [ann.id, admin.id, gus.id] })
    const id = await idOf(ann, 'plans')
    for (const person of [ann, bob, gus, admin])
      await person.listen({ event_types: ['stream', 'subscription'] })
    await ann.patch(`/streams/${id}`, { is_private: true })
    for (const person of [ann, gus, admin]) {
      expect(await person.events()).toMatchObject([
        {
          op: 'update',
          stream_id: id,
          name: 'plans',
          property: 'invite_only',
          value: true,
          history_public_to_subscribers: false,
          is_web_public: false,
        },
      ])
    }
    expect(await bob.events()).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }])
    await bob.refused('GET', `/streams/${id}`, {}, 'BAD_REQUEST')
    await ann.patch(`/streams/${id}`, { history_public_to_subscribers: true })
    expect(await ann.events()).toMatchObject([
      { property: 'invite_only', history_public_to_subscribers: true },
    ])
    expect(await bob.events()).toEqual([])
    await ann.patch(`/streams/${id}`, { is_private: false })
    expect(await bob.events()).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, invite_only: false }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id] },
    ])
    expect(await show(bob, id)).toMatchObject({ invite_only: false, history_public_to_subscribers: true })
  })

  test('combinations that make no sense change nothing', async () => {
    const server = await boot()
    setRealm(server, { enable_spectator_access: true })
    const { owner } = await office(server)
    await owner.join('open')
    await owner.join('closed', { invite_only: true })
    const [open, closed] = [await idOf(owner, 'open'), await idOf(owner, 'closed')]
    const before = [await show(owner, open), await show(owner, closed)]
    const refused = (id: number, params: Params) =>
      owner.refused('PATCH', `/streams/${id}`, { ...params, description: 'Changed' }, 'BAD_REQUEST')
    await refused(open, { history_public_to_subscribers: false })
    await refused(closed, { is_private: false, history_public_to_subscribers: false })
    await refused(closed, { is_web_public: true })
    await refused(open, { is_private: true, is_web_public: true })
    await refused(open, { is_web_public: true, history_public_to_subscribers: false })
    await refused(closed, { is_default_stream: true })
    await refused(open, { is_default_stream: true, is_private: true })
    await refused(open, { is_private: 'perhaps' })
    expect([await show(owner, open), await show(owner, closed)]).toEqual(before)
    await owner.refused('PATCH', '/streams/99999', { description: 'x' }, 'BAD_REQUEST')
  })

  test('web-public takes the server, the organization and the group', async () => {
    const server = await boot({ webPublicStreamsEnabled: true })
    const { owner, admin, gus } = await office(server)
    await owner.join('shop')
    const id = await idOf(owner, 'shop')
    await owner.refused('PATCH', `/streams/${id}`, { is_web_public: true }, 'BAD_REQUEST')
    setRealm(server, { enable_spectator_access: true })
    await admin.refused('PATCH', `/streams/${id}`, { is_web_public: true }, 'BAD_REQUEST')
    await gus.listen({ event_types: ['stream', 'subscription'] })
    await owner.patch(`/streams/${id}`, { is_web_public: true })
    expect(await gus.events()).toMatchObject([
      { op: 'create', streams: [{ is_web_public: true }] },
      { op: 'peer_add', user_ids: [owner.id] },
    ])
    await owner.patch(`/streams/${id}`, { is_private: true })
    expect(await gus.events()).toMatchObject([{ op: 'delete', stream_ids: [id] }])
    expect(await show(owner, id)).toMatchObject({ is_web_public: false, invite_only: true })
  })

  test('the moderation request channel stays private', async () => {
    const server = await boot()
    const { owner } = await office(server)
    await owner.join('mods', { invite_only: true })
    const id = await idOf(owner, 'mods')
    setRealm(server, { moderation_request_channel_id: id })
    await owner.refused('PATCH', `/streams/${id}`, { is_private: false }, 'BAD_REQUEST')
    await owner.patch(`/streams/${id}`, { history_public_to_subscribers: true })
  })
})

describe('who may', () => {
  test('administrators, and those whom the channel names; a private one only from within', async () => {
    const server = await boot()
    const { owner, admin, ann, bob, gus } = await office(server)
    await owner.join('plans', { invite_only: true, can_administer_channel_group: only(ann, gus) })
    const id = await idOf(owner, 'plans')
    for (const person of [ann, admin]) {
      await person.patch(`/streams/${id}`, { description: `By ${person.id}` })
      await person.refused('PATCH', `/streams/${id}`, { is_private: false }, 'BAD_REQUEST')
      await person.refused(
        'PATCH',
        `/streams/${id}`,
        { can_subscribe_group: { new: only(person) } },
        'BAD_REQUEST',
      )
    }
    await bob.refused('PATCH', `/streams/${id}`, { description: 'Mine' }, 'BAD_REQUEST')
    await gus.refused('PATCH', `/streams/${id}`, { description: 'Mine' }, 'BAD_REQUEST')
    await owner.join('plans', { principals: [ann.id] })
    await ann.patch(`/streams/${id}`, { can_subscribe_group: { new: only(bob) } })
    expect(await show(bob, id)).toMatchObject({ can_subscribe_group: only(bob) })
    await bob.join('plans')
  })

  test('retention is for administrators: days, or a word, bare or quoted', async () => {
    const server = await boot()
    const { owner, admin, ann } = await office(server)
    // Who made a channel administers it, but does not decide what is lost for ever.
    await ann.join('log')
    const id = await idOf(owner, 'log')
    await ann.patch(`/streams/${id}`, { description: 'What happened' })
    await ann.refused('PATCH', `/streams/${id}`, { message_retention_days: 3 }, 'BAD_REQUEST')
    await admin.patch(`/streams/${id}`, { message_retention_days: 3 })
    await admin.join('short', { message_retention_days: 3 })
    await admin.listen({ event_types: ['stream'] })
    for (const [given, kept] of [
      [30, 30],
      ['unlimited', -1],
      ['"realm_default"', null],
      ['7', 7],
      ['"unlimited"', -1],
    ]) {
      await owner.patch(`/streams/${id}`, { message_retention_days: given })
      expect(await admin.events()).toMatchObject([
        { op: 'update', property: 'message_retention_days', value: kept },
      ])
      expect((await show(owner, id)).message_retention_days).toBe(kept)
    }
    for (const bad of [0, -1, 'for a while', 1.5])
      await owner.refused('PATCH', `/streams/${id}`, { message_retention_days: bad }, 'BAD_REQUEST')
  })
})

describe('permission settings', () => {
  test('each is an update of its own; posting also in the form that older clients know', async () => {
    const server = await boot()
    const { admin, ann, bob } = await office(server)
    await ann.join('news')
    const id = await idOf(ann, 'news')
    const [everyone, admins] = [
      await systemGroup(ann, 'role:everyone'),
      await systemGroup(ann, 'role:administrators'),
    ]
    await bob.listen({ event_types: ['stream'] })
    await ann.patch(`/streams/${id}`, { can_send_message_group: { old: everyone, new: admins } })
    expect(await bob.events()).toMatchObject([
      { property: 'can_send_message_group', value: admins },
      { property: 'stream_post_policy', value: 2 },
      { property: 'is_announcement_only', value: true },
    ])
    await bob.refused(
      'POST',
      '/messages',
      { type: 'channel', to: id, topic: 't', content: 'x' },
      'BAD_REQUEST',
    )
    await ann.refused(
      'PATCH',
      `/streams/${id}`,
      { can_send_message_group: { old: everyone, new: only(bob) }, description: 'Changed' },
      'BAD_REQUEST',
    )
    const anonymous = { direct_members: [bob.id, ann.id, ann.id], direct_subgroups: [admins] }
    await ann.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: anonymous } })
    const value = { direct_members: [ann.id, bob.id], direct_subgroups: [admins] }
    expect(await bob.events()).toMatchObject([{ property: 'can_remove_subscribers_group', value }])
    expect(await show(admin, id)).toMatchObject({ description: '', can_remove_subscribers_group: value })
    for (const [name, group] of [
      ['can_administer_channel_group', 'role:everyone'],
      ['can_subscribe_group', 'role:internet'],
    ] as const) {
      const update = { [name]: { new: await systemGroup(ann, group) } }
      await ann.refused('PATCH', `/streams/${id}`, update, 'BAD_REQUEST')
    }
    await ann.refused('PATCH', `/streams/${id}`, { can_subscribe_group: { new: 99_999 } }, 'BAD_REQUEST')
  })

  test('whom a group lets see a private channel hears when they enter it, and when they leave', async () => {
    const server = await boot()
    const { owner, ann, bob } = await office(server)
    const { group_id } = await owner.post('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [],
    })
    await owner.join('plans', { invite_only: true, can_subscribe_group: group_id })
    const id = await idOf(owner, 'plans')
    for (const person of [ann, bob]) await person.listen({ event_types: ['stream', 'subscription'] })
    await owner.post(`/user_groups/${group_id}/members`, { add: [ann.id] })
    expect(await brief(ann)).toEqual(['stream create', 'subscription peer_add'])
    await owner.post(`/user_groups/${group_id}/members`, { delete: [ann.id] })
    expect(await brief(ann)).toEqual(['stream delete'])
    const { group_id: inner } = await owner.post('/user_groups/create', {
      name: 'inner',
      description: '',
      members: [ann.id],
    })
    await owner.post(`/user_groups/${group_id}/subgroups`, { add: [inner] })
    expect(await brief(ann)).toEqual(['stream create', 'subscription peer_add'])
    await owner.patch(`/streams/${id}`, { can_subscribe_group: { new: only(bob) } })
    expect(await brief(ann)).toEqual(['stream delete'])
    expect(await brief(bob)).toEqual(['stream create', 'subscription peer_add'])
  })

  test('a guest who becomes a member comes to see public channels', async () => {
    const server = await boot()
    const { owner, gus, ann } = await office(server)
    await owner.join('open')
    await owner.join('shared', { principals: [owner.id, gus.id] })
    await expectConverges(gus, () => owner.patch(`/users/${gus.id}`, { role: 400 }))
    await expectConverges(gus, () => owner.patch(`/users/${gus.id}`, { role: 600 }))
    await expectConverges(ann, () => owner.patch(`/users/${ann.id}`, { role: 200 }))
  })
})

describe('the notification bot', () => {
  test('tells in the channel what changed, and who changed it', async () => {
    const server = await boot()
    const { ann } = await office(server)
    await ann.join('plans')
    const id = await idOf(ann, 'plans')
    const admins = await systemGroup(ann, 'role:administrators')
    await ann.patch(`/streams/${id}`, { new_name: 'projects' })
    await ann.patch(`/streams/${id}`, { description: 'What we do' })
    await ann.patch(`/streams/${id}`, { is_private: true })
    await ann.patch(`/streams/${id}`, { can_send_message_group: { new: admins } })
    const { messages } = await ann.get('/messages', {
      narrow: [
        { operator: 'channel', operand: id },
        { operator: 'topic', operand: 'channel events' },
      ],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
    })
    const texts = messages.map(({ content }: { content: string }) => content)
    expect(texts).toHaveLength(4)
    for (const text of texts) expect(text).toContain(`@_**Ann|${ann.id}**`)
    expect(texts[0]).toMatch(/plans.*projects/)
    expect(texts[1]).toContain('What we do')
    expect(texts[2]).toContain('Private, protected history')
    expect(texts[3]).toContain('Administrators and owners')
  })
})

describe('default channels', () => {
  test('administrators say which; members hear, guests do not', async () => {
    const server = await boot()
    const { admin, ann, gus } = await office(server)
    await ann.join('lobby')
    await ann.join('closed', { invite_only: true })
    const id = await idOf(ann, 'lobby')
    for (const person of [ann, gus]) await person.listen({ event_types: ['default_streams'] })
    await ann.refused('POST', '/default_streams', { stream_id: id }, 'BAD_REQUEST')
    await admin.refused('POST', '/default_streams', { stream_id: await idOf(ann, 'closed') }, 'BAD_REQUEST')
    await admin.refused('POST', '/default_streams', { stream_id: 99_999 }, 'BAD_REQUEST')
    await admin.refused('DELETE', '/default_streams', { stream_id: 99_999 }, 'BAD_REQUEST')
    await admin.post('/default_streams', { stream_id: id })
    await admin.post('/default_streams', { stream_id: id })
    expect(await ann.events()).toMatchObject([{ type: 'default_streams', default_streams: [id] }])
    const fetched = async (person: Person) =>
      (await person.post('/register', { fetch_event_types: ['default_streams'] }))['realm_default_streams']
    expect(await fetched(ann)).toEqual([id])
    expect(await fetched(gus)).toEqual([])
    const eve = await server.as('eve')
    expect(await eve.get(`/users/${eve.id}/subscriptions/${id}`)).toMatchObject({ is_subscribed: true })
    await admin.patch(`/streams/${id}`, { is_default_stream: false })
    expect(await ann.events()).toMatchObject([{ default_streams: [] }])
    await admin.patch(`/streams/${id}`, { is_default_stream: true })
    await admin.delete('/default_streams', { stream_id: id })
    await admin.delete('/default_streams', { stream_id: id })
    expect(await ann.events()).toMatchObject([{ default_streams: [id] }, { default_streams: [] }])
    await admin.post('/default_streams', { stream_id: id })
    await admin.delete(`/streams/${id}`)
    expect(await ann.events()).toMatchObject([{ default_streams: [id] }, { default_streams: [] }])
    await admin.refused('POST', '/default_streams', { stream_id: id }, 'BAD_REQUEST')
    expect(await gus.events()).toEqual([])
  })
})

describe('settings of a subscription', () => {
  test('each is told to the user alone', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    await ann.join('lobby', { principals: [ann.id, bob.id] })
    const stream_id = await idOf(ann, 'lobby')
    for (const person of [ann, bob]) await person.listen({ event_types: ['subscription'] })
    const set = (property: string, value: unknown) =>
      ann.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] })
    await set('color', '#AABB00')
    expect(await ann.events()).toMatchObject([
      { op: 'update', stream_id, property: 'color', value: '#AABB00' },
    ])
    await set('in_home_view', false)
    const muted = [
      { property: 'is_muted', value: true },
      { property: 'in_home_view', value: false },
    ]
    expect(await ann.events()).toMatchObject(muted)
    await set('is_muted', true)
    expect(await ann.events()).toEqual([])
    for (const property of [
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ]) {
      await set(property, true)
      expect(await ann.events()).toMatchObject([{ property, value: true }])
    }
    const { subscriptions } = await ann.get('/users/me/subscriptions')
    expect(subscriptions[0]).toMatchObject({
      color: '#AABB00',
      is_muted: true,
      in_home_view: false,
      pin_to_top: true,
      push_notifications: true,
    })
    expect(await bob.events()).toEqual([])
  })

  test('what is wrong changes nothing', async () => {
    const server = await boot()
    const { ann } = await office(server)
    await ann.join(['lobby', 'left'])
    const [stream_id, left] = [await idOf(ann, 'lobby'), await idOf(ann, 'left')]
    await ann.delete('/users/me/subscriptions', { subscriptions: ['left'] })
    await ann.listen({ event_types: ['subscription'] })
    for (const bad of [
      { property: 'color', value: 'red' },
      { property: 'color', value: '#12345' },
      { property: 'color', value: true },
      { property: 'is_muted', value: 'yes' },
      { property: 'in_home_view', value: 'no' },
      { property: 'shape', value: 'round' },
      { property: 'is_muted', value: true, stream_id: left },
      { property: 'is_muted', value: true, stream_id: 99_999 },
      { property: 'is_muted' },
    ]) {
      const good = { stream_id, property: 'pin_to_top', value: true }
      const subscription_data = [good, { stream_id, ...bad }]
      await ann.refused('POST', '/users/me/subscriptions/properties', { subscription_data }, 'BAD_REQUEST')
    }
    expect(await ann.events()).toEqual([])
    expect((await ann.get('/users/me/subscriptions'))['subscriptions'][0].pin_to_top).toBe(false)
  })
})

describe('reading about channels', () => {
  test('by id and name, the subscribers, whether somebody is one', async () => {
    const server = await boot()
    const { ann, bob, gus, admin } = await office(server)
    await ann.join('Closed', { invite_only: true, principals: [ann.id, gus.id] })
    const id = await idOf(ann, 'closed')
    expect(await idOf(gus, 'CLOSED')).toBe(id)
    expect(await admin.get(`/streams/${id}/members`)).toMatchObject({ subscribers: [ann.id, gus.id] })
    expect(await admin.get(`/users/${gus.id}/subscriptions/${id}`)).toMatchObject({ is_subscribed: true })
    expect(await ann.get(`/users/${bob.id}/subscriptions/${id}`)).toMatchObject({ is_subscribed: false })
    await ann.refused('GET', `/users/99999/subscriptions/${id}`, {}, 'BAD_REQUEST')
    for (const path of [`/streams/${id}`, `/streams/${id}/members`, `/users/${ann.id}/subscriptions/${id}`])
      await bob.refused('GET', path, {}, 'BAD_REQUEST')
    await bob.refused('GET', '/get_stream_id', { stream: 'closed' }, 'BAD_REQUEST')
    await bob.refused('GET', '/get_stream_id', {}, 'REQUEST_VARIABLE_MISSING')
  })

  test('the topics one may read, the newest first', async () => {
    const server = await boot()
    const { owner, ann, bob, gus } = await office(server)
    await ann.join('open')
    await ann.join('closed', { invite_only: true })
    const [open, closed] = [await idOf(ann, 'open'), await idOf(ann, 'closed')]
    const one = await ann.say('open', 'One', 'x')
    const empty = await ann.say('open', '', 'x')
    const again = await ann.say('open', 'ONE', 'x')
    expect(await bob.get(`/users/me/${open}/topics`, { allow_empty_topic_name: true })).toMatchObject({
      topics: [
        { name: 'ONE', max_id: again },
        { name: '', max_id: empty },
      ],
    })
    expect(one).toBeLessThan(empty)
    expect((await bob.get(`/users/me/${open}/topics`))['topics'][1].name).toBe('general chat')
    await gus.refused('GET', `/users/me/${open}/topics`, {}, 'BAD_REQUEST')
    await ann.say('closed', 'before', 'x')
    await ann.join('closed', { principals: [bob.id] })
    const after = await ann.say('closed', 'after', 'x')
    expect(await bob.get(`/users/me/${closed}/topics`)).toMatchObject({
      topics: [{ name: 'after', max_id: after }],
    })
    expect((await ann.get(`/users/me/${closed}/topics`))['topics']).toHaveLength(2)
    await owner.refused('GET', `/users/me/${closed}/topics`, {}, 'BAD_REQUEST')
  })

  test('an address for mail: one for each sender, for those who may read the channel', async () => {
    const server = await boot()
    const { owner, ann, bob } = await office(server)
    await ann.join('Tea & cake', { invite_only: true })
    const id = await idOf(ann, 'tea & cake')
    const address = async (params = {}) => (await ann.get(`/streams/${id}/email_address`, params))['email']
    const general = await address()
    expect(general).toMatch(/^tea-cake\.[0-9a-f]{32}@test\.local$/)
    expect(await address()).toBe(general)
    expect(await address({ sender_id: ann.id })).not.toBe(general)
    await ann.refused('GET', `/streams/${id}/email_address`, { sender_id: bob.id }, 'BAD_REQUEST')
    await owner.refused('GET', `/streams/${id}/email_address`, {}, 'BAD_REQUEST')
  })
})

test('adding and removing in one request: all of it, or nothing', async () => {
  const server = await boot()
  const { ann } = await office(server)
  await ann.join(['old', 'kept'])
  const path = '/users/me/subscriptions'
  await ann.refused('PATCH', path, {}, 'BAD_REQUEST')
  const bad = { add: [{ name: 'new' }], delete: ['nowhere'] }
  await ann.refused('PATCH', path, bad, 'STREAM_DOES_NOT_EXIST')
  await ann.refused('PATCH', path, { add: [{ name: 'new', color: 'red' }] }, 'BAD_REQUEST')
  const add = [{ name: 'new', color: '#abcdef', description: 'Fresh' }, { name: 'kept' }]
  expect(await ann.patch(path, { add, delete: ['old'] })).toMatchObject({
    subscribed: { [ann.email]: ['new'] },
    already_subscribed: { [ann.email]: ['kept'] },
    removed: ['old'],
    not_removed: [],
  })
  const { subscriptions } = await ann.get(path)
  expect(subscriptions.map(({ name }: { name: string }) => name)).toEqual(['kept', 'new'])
  expect(subscriptions[1]).toMatchObject({ color: '#abcdef', description: 'Fresh' })
})

test('clients that follow the events know what a new one is told', async () => {
  const server = await boot()
  const { owner, admin, ann, bob, gus } = await office(server)
  await ann.join(['plans', 'news'], { principals: [ann.id, gus.id] })
  const [plans, news] = [await idOf(ann, 'plans'), await idOf(ann, 'news')]
  for (const channel of ['plans', 'news']) await ann.say(channel, 'topic', 'The first message')
  const admins = await systemGroup(ann, 'role:administrators')
  const changes: (() => Promise<unknown>)[] = [
    () => ann.patch(`/streams/${plans}`, { new_name: 'projects', description: 'x', is_private: true }),
    () => ann.patch(`/streams/${plans}`, { can_subscribe_group: { new: only(bob) } }),
    () => ann.patch(`/streams/${news}`, { can_send_message_group: { new: admins } }),
    () => ann.patch(`/streams/${news}`, { can_send_message_group: { new: only(ann, bob) } }),
    () => owner.patch(`/streams/${news}`, { message_retention_days: 5, is_default_stream: true }),
    () => owner.delete(`/users/${bob.id}`),
    () => owner.post(`/users/${bob.id}/reactivate`),
    () => ann.patch(`/streams/${plans}`, { is_private: false }),
    () =>
      ann.post('/users/me/subscriptions/properties', {
        subscription_data: [
          { stream_id: news, property: 'is_muted', value: true },
          { stream_id: plans, property: 'color', value: '#123456' },
        ],
      }),
  ]
  for (const change of changes) {
    const readers = [ann, admin, gus]
    const run = readers.reduceRight<() => Promise<unknown>>(
      (inner, reader) => () => expectConverges(reader, inner),
      change,
    )
    await run()
  }
})
