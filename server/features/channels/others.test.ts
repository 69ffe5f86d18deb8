/** Subscribing and unsubscribing other people: who may, and what happens to the rest of the request. */
import { expect, test } from 'vitest'
import { boot, type Body, type Params, Person } from '../../test/boot.ts'

const names = async (person: Person, params: Params = {}): Promise<string[]> =>
  (await person.get('/streams', params))['streams'].map((one: Body) => one['name']).sort()

async function office() {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const cat = await server.as('cat')
  const gus = await server.as('gus', 'guest')
  const idOf = async (stream: string) =>
    (await owner.get('/get_stream_id', { stream }))['stream_id'] as number
  const group = async (name: string, members: Person[]) =>
    (
      await owner.post('/user_groups/create', { name, description: '', members: members.map(({ id }) => id) })
    )['group_id'] as number
  const add = (names: string[], people: Person[], rest: Params = {}) => ({
    subscriptions: names.map((name) => ({ name })),
    principals: people.map(({ id }) => id),
    ...rest,
  })
  const remove = (names: string[], people: Person[]) => ({
    subscriptions: names,
    principals: people.map(({ id }) => id),
  })
  return { server, owner, ann, bob, cat, gus, idOf, group, add, remove }
}

test('the organization says who may subscribe others, a channel says who else', async () => {
  const { server, owner, ann, bob, cat, gus, idOf, group, add } = await office()
  await owner.join('open')
  const moderators = (await owner.get('/user_groups'))['user_groups'].find(
    (one: Body) => one['name'] === 'role:moderators',
  ).id
  await owner.patch('/realm', { can_add_subscribers_group: { new: moderators } })
  await ann.refused('POST', '/users/me/subscriptions', add(['open'], [cat]), 'BAD_REQUEST')
  await ann.refused('POST', '/users/me/subscriptions', add(['open'], [ann, cat]), 'BAD_REQUEST')
  await ann.refused('POST', '/users/me/subscriptions', add(['brand new'], [cat]), 'BAD_REQUEST')
  await ann.post('/users/me/subscriptions', add(['open'], [ann]))
  expect(await names(cat)).toEqual(['open'])
  const adders = await group('adders', [bob])
  await owner.patch(`/streams/${await idOf('open')}`, { can_add_subscribers_group: { new: adders } })
  await bob.post('/users/me/subscriptions', add(['open'], [cat]))
  const moderator = await server.as('mod', 'moderator')
  await moderator.post('/users/me/subscriptions', add(['open'], [gus]))
  await gus.refused('POST', '/users/me/subscriptions', add(['open'], [bob]), 'BAD_REQUEST')
  // A guest in the group is still a guest.
  await owner.post(`/user_groups/${adders}/members`, { add: [gus.id] })
  await gus.refused('POST', '/users/me/subscriptions', add(['open'], [bob]), 'BAD_REQUEST')
})

test('who may add to a private channel or join it reads it; others do not learn whether it is there', async () => {
  const { owner, ann, bob, cat, idOf, group, add } = await office()
  await owner.join('secret', { invite_only: true })
  const id = await idOf('secret')
  await ann.refused('POST', '/users/me/subscriptions', add(['secret'], [cat]), 'BAD_REQUEST')
  await owner.patch(`/streams/${id}`, { can_add_subscribers_group: { new: await group('adders', [ann]) } })
  await owner.patch(`/streams/${id}`, { can_subscribe_group: { new: await group('joiners', [bob]) } })
  await bob.refused('POST', '/users/me/subscriptions', add(['secret'], [cat]), 'BAD_REQUEST')
  await bob.join('secret')
  // A subscriber of a private channel may bring others in, as far as the organization lets anybody.
  await bob.post('/users/me/subscriptions', add(['secret'], [cat]))
  await owner.delete('/users/me/subscriptions', { subscriptions: ['secret'], principals: [cat.id] })
  expect(await names(cat)).toEqual([])
  await ann.post('/users/me/subscriptions', add(['secret'], [cat]))
  expect(await names(cat)).toEqual(['secret'])
})

test('what is refused stops the request, or is left out and named', async () => {
  const { server, owner, ann, bob, cat, add } = await office()
  await owner.join('secret', { invite_only: true })
  await owner.join('open')
  await cat.listen({ event_types: ['subscription'] })
  const before = server.running.server.database.sequence
  await ann.refused(
    'POST',
    '/users/me/subscriptions',
    add(['open', 'secret', 'fresh'], [bob, cat]),
    'BAD_REQUEST',
  )
  expect(server.running.server.database.sequence).toBe(before)
  expect(await cat.events()).toEqual([])
  const reply = await ann.post(
    '/users/me/subscriptions',
    add(['open', 'secret', 'fresh'], [bob, cat], { authorization_errors_fatal: false }),
  )
  expect(reply).toMatchObject({
    subscribed: { [bob.id]: ['open', 'fresh'], [cat.id]: ['open', 'fresh'] },
    already_subscribed: {},
    unauthorized: ['secret'],
  })
  expect((await cat.events()).filter(({ op }) => op === 'add')).toHaveLength(2)
  // Somebody who is not there, or not any more, is an error however it is asked.
  await owner.delete(`/users/${bob.id}`)
  for (const principals of [[bob.id], [4711], ['nobody@test.example'], [(await server.owner('other')).id]]) {
    const params = { subscriptions: [{ name: 'open' }], principals, authorization_errors_fatal: false }
    await ann.refused('POST', '/users/me/subscriptions', params, 'BAD_REQUEST')
  }
})

test('unsubscribing others: administrators, the channel’s own, or the group it names', async () => {
  const { server, owner, ann, bob, cat, idOf, group, add, remove } = await office()
  await owner.post('/users/me/subscriptions', add(['one', 'two'], [owner, ann, bob, cat]))
  await ann.refused('DELETE', '/users/me/subscriptions', remove(['one'], [cat]), 'BAD_REQUEST')
  await owner.patch(`/streams/${await idOf('one')}`, {
    can_remove_subscribers_group: { new: await group('removers', [ann]) },
  })
  // One of two channels is not enough, and then neither is left.
  await ann.refused('DELETE', '/users/me/subscriptions', remove(['one', 'two'], [cat]), 'BAD_REQUEST')
  expect(await names(cat, { include_public: false })).toEqual(['one', 'two'])
  expect(await ann.delete('/users/me/subscriptions', remove(['one'], [cat]))).toMatchObject({
    removed: ['one'],
  })
  expect(await ann.delete('/users/me/subscriptions', remove(['one'], [cat]))).toMatchObject({
    removed: [],
    not_removed: ['one'],
  })
  const moderator = await server.as('mod', 'moderator')
  await moderator.refused('DELETE', '/users/me/subscriptions', remove(['two'], [cat]), 'BAD_REQUEST')
  await owner.patch(`/streams/${await idOf('two')}`, {
    can_administer_channel_group: { new: await group('keepers', [bob]) },
  })
  await bob.delete('/users/me/subscriptions', remove(['two'], [cat]))
  expect(await names(cat, { include_public: false })).toEqual([])
})

test('GET /streams: each filter adds what its name says, never what one may not know of', async () => {
  const { owner, ann, bob, gus, idOf, add } = await office()
  await owner.patch('/realm', { enable_spectator_access: true })
  await owner.join(['open', 'old'])
  await owner.join('web', { is_web_public: true })
  await owner.join('secret', { invite_only: true })
  await ann.join('closed', { invite_only: true })
  await owner.post('/users/me/subscriptions', add(['open'], [ann, gus]))
  const old = await idOf('old')
  await owner.delete(`/streams/${old}`)
  const none = { include_public: false, include_subscribed: false }
  expect(await names(bob, none)).toEqual([])
  expect(await names(bob, { ...none, include_web_public: true })).toEqual(['web'])
  expect(await names(bob)).toEqual(['open', 'web'])
  expect(await names(bob, { exclude_archived: false })).toHaveLength(3)
  expect(await names(bob, { ...none, include_all: true })).toEqual(['open', 'web'])
  expect(await names(ann, { ...none, include_subscribed: true })).toEqual(['closed', 'open'])
  expect(await names(ann, { ...none, include_can_access_content: true })).toEqual(['closed', 'open', 'web'])
  // Administrators know of private channels, but do not read them.
  expect(await names(owner, { ...none, include_all: true })).toEqual(['closed', 'open', 'secret', 'web'])
  expect(await names(owner, { ...none, include_all_active: true })).toEqual([
    'closed',
    'open',
    'secret',
    'web',
  ])
  expect(await names(owner, { ...none, include_can_access_content: true })).toEqual(['open', 'secret', 'web'])
  await bob.refused('GET', '/streams', { include_all_active: true }, 'BAD_REQUEST')
  expect(await names(gus)).toEqual(['open', 'web'])
  expect(await names(gus, { ...none, include_all: true })).toEqual(['open', 'web'])
  expect(await names(gus, { ...none, include_public: true })).not.toContain('closed')

  await owner.post('/default_streams', { stream_id: await idOf('open') })
  const { streams } = await bob.get('/streams', { include_default: true })
  expect(streams.map((one: Body) => [one['name'], one['is_default']]).sort()).toEqual([
    ['open', true],
    ['web', false],
  ])
  expect((await bob.get('/streams'))['streams'][0]).not.toHaveProperty('is_default')

  const made = await ann.post('/bots', { full_name: 'Robot', short_name: 'robot' })

  const bot = new Person(ann.base, made['email'], made['api_key'], made['user_id'])
  expect(await names(bot, none)).toEqual([])
  expect(await names(bot, { ...none, include_owner_subscribed: true })).toEqual(['closed', 'open'])
})
