import { describe, expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const names = async (person: Person, params = {}) =>
  (await person.get('/streams', params))['streams'].map(({ name }: { name: string }) => name)

describe('creating by subscribing', () => {
  test('a public channel: everybody hears, guests do not', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const gus = await server.listenAs('gus', 'guest')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await ann.events()
    await bob.events()
    const subscriptions = [{ name: 'general', description: 'For **all** of us' }]
    const reply = await ann.post('/users/me/subscriptions', { subscriptions })
    expect(reply).toMatchObject({ subscribed: { [ann.id]: ['general'] }, already_subscribed: {} })
    const created = { type: 'stream', op: 'create', streams: [{ name: 'general', creator_id: ann.id }] }
    expect(await ann.events()).toMatchObject([
      created,
      {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ name: 'general', subscribers: [ann.id], description: 'For **all** of us' }],
      },
    ])
    expect(await bob.events()).toMatchObject([
      created,
      { type: 'subscription', op: 'peer_add', user_ids: [ann.id] },
    ])
    expect(await gus.events()).toEqual([])
    expect(await stranger.events()).toEqual([])
  })

  test('a private channel: subscribers and administrators hear, nobody else', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const cat = await server.listenAs('cat')
    const admin = await server.listenAs('adam', 'administrator')
    for (const person of [ann, bob, cat, admin]) await person.events()
    await ann.join('secret', { invite_only: true, principals: [ann.id, bob.id] })
    expect((await ann.events()).map(({ type, op }) => `${type} ${op}`)).toEqual([
      'stream create',
      'subscription add',
    ])
    expect((await bob.events()).map(({ type, op }) => `${type} ${op}`)).toEqual([
      'stream create',
      'subscription add',
      'message undefined',
    ])
    expect((await admin.events()).map(({ type, op }) => `${type} ${op}`)).toEqual([
      'stream create',
      'subscription peer_add',
    ])
    expect(await cat.events()).toEqual([])
    expect(await names(cat, { include_all: true })).toEqual([])
    expect(await names(admin, { include_all: true })).toEqual(['secret'])
    expect(await names(bob)).toEqual(['secret'])
  })

  test('options are kept', async () => {
    const server = await boot()
    const owner = await server.owner()
    const bob = await server.as('bob')
    const group = { direct_members: [bob.id], direct_subgroups: [] }
    await owner.join('plans', {
      invite_only: true,
      history_public_to_subscribers: true,
      message_retention_days: 30,
      can_send_message_group: group,
    })
    await owner.join('open', { is_default_stream: true, message_retention_days: 'unlimited' })
    const { streams } = await owner.get('/streams', { include_default: true })
    expect(streams).toMatchObject([
      {
        name: 'plans',
        invite_only: true,
        history_public_to_subscribers: true,
        message_retention_days: 30,
        can_send_message_group: group,
        can_administer_channel_group: { direct_members: [owner.id], direct_subgroups: [] },
        is_default: false,
      },
      { name: 'open', is_default: true, message_retention_days: -1 },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['an empty name', { subscriptions: [{ name: ' ' }] }],
    ['a name that is too long', { subscriptions: [{ name: 'x'.repeat(61) }] }],
    ['a description that is too long', { subscriptions: [{ name: 'x', description: 'x'.repeat(1025) }] }],
    ['web-public and private', { is_web_public: true, invite_only: true }],
    ['web-public where that is off', { is_web_public: true }],
    ['a public channel without public history', { history_public_to_subscribers: false }],
    ['a default channel by a member', { is_default_stream: true }],
    ['retention by a member', { message_retention_days: 5 }],
    ['an unknown group', { can_send_message_group: 9999 }],
    [
      'an unknown user in a group',
      { can_send_message_group: { direct_members: [9999], direct_subgroups: [] } },
    ],
    ['an unknown principal', { principals: [9999] }],
    ['an unknown address', { principals: ['nobody@x.example'] }],
  ])('refuses %s and makes nothing', async (_what, wrong) => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    await ann.events()
    const good = { subscriptions: [{ name: 'fine' }, { name: 'also fine' }] }
    await ann.refused('POST', '/users/me/subscriptions', { ...good, ...wrong }, 'BAD_REQUEST')
    expect(await ann.events()).toEqual([])
    expect(await names(ann, { include_all: true })).toEqual([])
  })

  test('guests neither create nor join public channels by themselves', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    await ann.join('general')
    const join = (name: string) => ({ subscriptions: [{ name }] })
    await gus.refused('POST', '/users/me/subscriptions', join('mine'), 'BAD_REQUEST')
    await gus.refused('POST', '/users/me/subscriptions', join('general'), 'BAD_REQUEST')
    expect(await names(gus)).toEqual([])
  })
})

describe('subscribing', () => {
  test('to what exists; twice is no change', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    await ann.join('General')
    expect(await bob.join('general')).toMatchObject({ subscribed: { [bob.id]: ['General'] } })
    await ann.events()
    await bob.events()
    expect(await bob.join('GENERAL')).toMatchObject({
      subscribed: {},
      already_subscribed: { [bob.id]: ['General'] },
    })
    expect(await ann.events()).toEqual([])
    expect(await bob.events()).toEqual([])
  })

  test('others: they hear of it, and are told by whom', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.listenAs('bob')
    await ann.join('general')
    await bob.events()
    await ann.join('general', { principals: [bob.email] })
    expect(await bob.events()).toMatchObject([
      {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ name: 'general', subscribers: [ann.id, bob.id] }],
      },
      { type: 'message', message: { type: 'private', sender_full_name: 'Notification Bot' } },
    ])
  })

  test('a private channel is refused like one that may not be joined, or left out on request', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('secret', { invite_only: true })
    const subscriptions = [{ name: 'secret' }, { name: 'mine' }]
    await bob.refused('POST', '/users/me/subscriptions', { subscriptions }, 'BAD_REQUEST')
    expect(await names(bob)).toEqual([])
    const reply = await bob.post('/users/me/subscriptions', {
      subscriptions,
      authorization_errors_fatal: false,
    })
    expect(reply).toMatchObject({ subscribed: { [bob.id]: ['mine'] }, unauthorized: ['secret'] })
  })
})

describe('unsubscribing', () => {
  test('oneself; whoever may see the subscribers hears', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    await ann.join('general')
    await ann.events()
    await bob.events()
    const reply = await ann.delete('/users/me/subscriptions', { subscriptions: ['general'] })
    expect(reply).toMatchObject({ removed: ['general'], not_removed: [] })
    expect(await ann.events()).toMatchObject([
      { type: 'subscription', op: 'remove', subscriptions: [{ name: 'general' }] },
    ])
    expect(await bob.events()).toMatchObject([
      { type: 'subscription', op: 'peer_remove', user_ids: [ann.id] },
    ])
    expect(await ann.delete('/users/me/subscriptions', { subscriptions: ['general'] })).toMatchObject({
      removed: [],
      not_removed: ['general'],
    })
  })

  test('from a private channel: it is gone for who leaves, and outsiders hear nothing', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const cat = await server.listenAs('cat')
    await ann.join('secret', { invite_only: true, principals: [ann.id, bob.id] })
    for (const person of [ann, bob, cat]) await person.events()
    await bob.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
    expect((await bob.events()).map(({ type, op }) => `${type} ${op}`)).toEqual([
      'subscription remove',
      'stream delete',
    ])
    expect((await ann.events()).map(({ op }) => op)).toEqual(['peer_remove'])
    expect(await cat.events()).toEqual([])
    expect(await names(bob)).toEqual([])
  })

  test('others takes permission', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const admin = await server.as('adam', 'administrator')
    await ann.join('general', { principals: [ann.id, bob.id] })
    const others = { subscriptions: ['general'], principals: [ann.id] }
    await bob.refused('DELETE', '/users/me/subscriptions', others, 'BAD_REQUEST')
    expect(await admin.delete('/users/me/subscriptions', others)).toMatchObject({ removed: ['general'] })
  })

  test('from what is not there, or not to be known of', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join('secret', { invite_only: true })
    for (const name of ['secret', 'nothing']) {
      const error = await bob.refused(
        'DELETE',
        '/users/me/subscriptions',
        { subscriptions: [name] },
        'STREAM_DOES_NOT_EXIST',
      )
      expect(error['stream']).toBe(name)
    }
  })
})

describe('GET /streams', () => {
  test('by kind', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.join(['open', 'other'])
    await ann.join('secret', { invite_only: true })
    await bob.join('open')
    expect(await names(bob)).toEqual(['open', 'other'])
    expect(await names(bob, { include_public: false })).toEqual(['open'])
    expect(await names(bob, { include_public: false, include_subscribed: false })).toEqual([])
    expect(await names(ann)).toEqual(['open', 'other', 'secret'])
    await bob.refused('GET', '/streams', { include_all_active: true }, 'BAD_REQUEST')
  })
})

describe('PATCH and DELETE /streams/{stream_id}', () => {
  test('a rename and a description reach everybody who may know', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.listenAs('bob')
    const gus = await server.listenAs('gus', 'guest')
    await ann.join('general')
    await bob.events()
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    await ann.patch(`/streams/${stream_id}`, { new_name: 'lobby', description: 'Hi\n**all**' })
    expect(await bob.events()).toMatchObject([
      {
        property: 'description',
        value: 'Hi **all**',
        rendered_description: '<p>Hi <strong>all</strong></p>',
      },
      { property: 'name', name: 'general', value: 'lobby' },
    ])
    expect(await gus.events()).toEqual([])
    await bob.refused('PATCH', `/streams/${stream_id}`, { new_name: 'mine' }, 'BAD_REQUEST')
    await ann.join('taken')
    await ann.refused('PATCH', `/streams/${stream_id}`, { new_name: 'TAKEN' }, 'BAD_REQUEST')
    await ann.patch(`/streams/${stream_id}`, { new_name: 'Lobby' })
  })

  test('an archived channel can be read, not written, and gives its name back', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.listenAs('bob')
    await ann.join('general', { principals: [ann.id, bob.id] })
    await ann.say('general', 'hi', 'before')
    await bob.events()
    const [{ stream_id }] = (await ann.get('/streams'))['streams']
    await bob.refused('DELETE', `/streams/${stream_id}`, {}, 'BAD_REQUEST')
    await ann.delete(`/streams/${stream_id}`)
    const notice = { subject: 'channel events', content: expect.stringContaining('archived this channel') }
    expect(await bob.events()).toMatchObject([
      { type: 'message', message: notice },
      { type: 'stream', op: 'delete', stream_ids: [stream_id] },
    ])
    await ann.refused('DELETE', `/streams/${stream_id}`, {}, 'BAD_REQUEST')
    const send = { type: 'channel', to: stream_id, topic: 'hi', content: 'after' }
    await ann.refused('POST', '/messages', send, 'BAD_REQUEST')
    const narrow = [{ operator: 'channel', operand: stream_id }]
    const { messages } = await ann.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
    expect(messages).toHaveLength(2)
    expect(await names(ann)).toEqual([])
    expect(await names(ann, { exclude_archived: false })).toEqual(['general'])
    expect(await ann.join('general')).toMatchObject({ subscribed: { [ann.id]: ['general'] } })
  })

  test('notices of the organization no longer go into a channel that is archived', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    await owner.join('news')
    await owner.join('lobby')
    const ids = new Map((await owner.get('/streams'))['streams'].map((one: any) => [one.name, one.stream_id]))
    await owner.patch('/realm', {
      new_stream_announcements_stream_id: ids.get('news'),
      signup_announcements_stream_id: ids.get('lobby'),
    })
    const bob = await server.listenAs('bob', 'member', { event_types: ['realm'] })
    await expectConverges(ann, () => owner.delete(`/streams/${ids.get('news')}`))
    expect(await bob.events()).toMatchObject([
      { op: 'update_dict', data: { new_stream_announcements_stream_id: -1 } },
    ])
    expect(await ann.post('/register', { fetch_event_types: ['realm'] })).toMatchObject({
      realm_new_stream_announcements_stream_id: -1,
      realm_signup_announcements_stream_id: ids.get('lobby'),
    })
  })
})

test('clients that follow the events know what a new one is told', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const gus = await server.as('gus', 'guest')
  for (const watcher of [owner, ann, bob, gus]) {
    const own = `w${watcher.id}`
    await expectConverges(watcher, () => ann.join(own, { principals: [ann.id, bob.id, gus.id] }))
    await expectConverges(watcher, () =>
      ann.join(`${own}-private`, { invite_only: true, principals: [ann.id, bob.id] }),
    )
    await expectConverges(watcher, () =>
      bob.delete('/users/me/subscriptions', { subscriptions: [own, `${own}-private`] }),
    )
    await expectConverges(watcher, () => ann.join(`${own}-private`, { principals: [gus.id] }))
    await expectConverges(watcher, () =>
      owner.delete('/users/me/subscriptions', { subscriptions: [own], principals: [gus.id] }),
    )
    // The first message of a channel is told to those who receive it, and so is the notice of the change.
    await ann.say(own, 'topic', 'First')
    const channel = (await ann.get('/streams'))['streams'].find(({ name }: { name: string }) => name === own)
    await expectConverges(watcher, () =>
      ann.patch(`/streams/${channel.stream_id}`, { description: 'New', new_name: `${own}-2` }),
    )
  }
})
