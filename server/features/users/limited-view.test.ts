/** A guest who sees only whom they meet hears nothing of what the others do. */
import { describe, expect, test } from 'vitest'
import { boot, type Body, type Person } from '../../test/boot.ts'
import { Keeper } from '../../test/converges.ts'

const listening = {
  client_capabilities: { stream_typing_notifications: true, user_list_incomplete: true },
  event_types: [
    'presence',
    'user_status',
    'typing',
    'typing_edit_message',
    'subscription',
    'reaction',
    'realm_user',
  ],
}

/** Ann shares a channel with the guest Gus; Bob does not, though he may write there. */
async function scene() {
  const server = await boot()
  const owner = await server.owner()
  const { user_groups } = await owner.get('/user_groups')
  const members = user_groups.find((one: Body) => one['name'] === 'role:members').id
  await owner.patch('/realm', { can_access_all_users_group: { new: members } })
  const password = 'correct horse battery'
  for (const name of ['ann', 'bob', 'gus']) {
    await owner.post('/users', { email: `${name}@test.example`, full_name: name, password })
  }
  const [ann, bob, gus] = [await server.as('ann'), await server.as('bob'), await server.as('gus')]
  await owner.patch(`/users/${gus.id}`, { role: 600 })
  await ann.join('shared', { principals: [ann.id, gus.id] })
  await ann.join('apart', { principals: [ann.id] })
  const { stream_id } = await ann.get('/get_stream_id', { stream: 'shared' })
  return { owner, ann, bob, gus, stream_id }
}

test('status, presence, typing and subscriptions of strangers', async () => {
  const { ann, bob, gus, stream_id } = await scene()
  const said = await bob.say('shared', 't', 'From outside')
  await gus.listen(listening)
  await ann.listen(listening)
  const acts = [
    () => bob.post('/users/me/status', { status_text: 'busy' }),
    () => bob.post('/users/me/presence', { status: 'active' }),
    () => bob.post('/typing', { type: 'channel', op: 'start', stream_id, topic: 't' }),
    () => bob.post(`/messages/${said}/typing`, { op: 'start' }),
    () => bob.join('apart'),
  ]
  for (const act of acts) {
    await act()
    expect(await gus.events(), String(act)).toEqual([])
    expect(await ann.events(), String(act)).not.toEqual([])
  }
  const known = [
    () => ann.post('/users/me/status', { status_text: 'busy' }),
    () => ann.post('/users/me/presence', { status: 'active' }),
    () => ann.post('/typing', { type: 'channel', op: 'start', stream_id, topic: 't' }),
  ]
  for (const act of known) {
    await act()
    expect(await gus.events(), String(act)).toHaveLength(1)
  }
})

test('are not to be asked for either', async () => {
  const { ann, bob, gus } = await scene()
  for (const person of [ann, bob]) {
    await person.post('/users/me/status', { status_text: 'busy' })
    await person.post('/users/me/presence', { status: 'active' })
  }
  for (const path of [
    `/users/${bob.id}/status`,
    `/users/${bob.id}/presence`,
    '/users/bob@test.example/presence',
  ]) {
    await gus.refused('GET', path, {}, 'BAD_REQUEST')
  }
  await gus.get(`/users/${ann.id}/status`)
  await gus.get(`/users/${ann.id}/presence`)
  expect(Object.keys((await gus.get('/realm/presence'))['presences'])).toEqual([ann.email])
  const snapshot = await gus.post('/register', {
    fetch_event_types: ['presence', 'user_status'],
    slim_presence: true,
  })
  expect(Object.keys(snapshot['presences'])).toEqual([String(ann.id)])
  expect(Object.keys(snapshot['user_status'])).toEqual([String(ann.id)])
  const { presences } = await gus.post('/users/me/presence', { status: 'active', last_update_id: -1 })
  expect(Object.keys(presences)).not.toContain(String(bob.id))
})

test('a stranger who reacts stays a stranger', async () => {
  const { ann, bob, gus } = await scene()
  const said = await ann.say('shared', 't', 'Hello')
  await gus.listen(listening)
  await bob.post(`/messages/${said}/reactions`, { emoji_name: '+1' })
  const [event] = await gus.events()
  expect(event).toMatchObject({ type: 'reaction', op: 'add', user_id: bob.id })
  expect(JSON.stringify(event)).not.toContain('bob')
  expect(JSON.stringify(await gus.get(`/messages/${said}`))).not.toContain('bob')
})

describe('what guests see is changed', () => {
  const view = async (owner: Person, group: 'role:everyone' | 'role:members') => {
    const { user_groups } = await owner.get('/user_groups')
    const { id } = user_groups.find((one: Body) => one['name'] === group)
    await owner.patch('/realm', { can_access_all_users_group: { new: id } })
  }
  const people = (events: Body[]) =>
    events
      .filter(({ type }) => type === 'realm_user')
      .map(({ op, person }) => [op, person.user_id, person.full_name])

  test('they are told whom they see now, and how those are; nobody else is', async () => {
    const { owner, ann, bob, gus } = await scene()
    await bob.post('/users/me/status', { status_text: 'busy' })
    await bob.post('/users/me/presence', { status: 'active' })
    await owner.post('/users', { email: 'eve@test.example', full_name: 'eve', password: 'correct horse' })
    const eve = (await owner.get('/users'))['members'].find((one: Body) => one['full_name'] === 'eve')
    await owner.delete(`/users/${eve.user_id}`)
    await gus.listen(listening)
    await ann.listen(listening)
    await view(owner, 'role:everyone')
    const gained = await gus.events()
    expect(people(gained)).toEqual([
      ['add', owner.id, 'Owner of test'],
      ['add', bob.id, 'bob'],
      ['add', eve.user_id, 'eve'],
    ])
    expect(gained.filter(({ type }) => type === 'user_status')).toMatchObject([
      { user_id: bob.id, status_text: 'busy' },
    ])
    expect(gained.filter(({ type }) => type === 'presence')).toMatchObject([
      { user_id: bob.id, presence: { website: { status: 'active' } } },
    ])
    await view(owner, 'role:members')
    expect(people(await gus.events())).toEqual([
      ['remove', owner.id, 'Unknown user'],
      ['remove', bob.id, 'Unknown user'],
      ['remove', eve.user_id, 'Unknown user'],
    ])
    expect(await ann.events()).toEqual([])
    // A client that must know every id is told of somebody without a name in their place.
    await gus.listen({ event_types: ['realm_user'] })
    await view(owner, 'role:everyone')
    await gus.events()
    await view(owner, 'role:members')
    expect(people(await gus.events())).toContainEqual(['add', bob.id, 'Unknown user'])
  })

  test.each(['modern', 'legacy'] as const)('what a %s client keeps stays true', async (client) => {
    const { owner, ann, bob, gus } = await scene()
    await bob.post('/users/me/status', { status_text: 'busy' })
    const keepers = [
      await Keeper.start(gus, client),
      await Keeper.start(ann, client),
      await Keeper.start(owner, client),
    ]
    for (const group of ['role:everyone', 'role:members'] as const) {
      await view(owner, group)
      for (const keeper of keepers) await keeper.assertCurrent()
    }
    await owner.patch(`/users/${gus.id}`, { role: 400 })
    for (const keeper of keepers) await keeper.assertCurrent()
    await owner.patch(`/users/${gus.id}`, { role: 600 })
    for (const keeper of keepers) await keeper.assertCurrent()
  })
})

test('who is active again is back with status and presence, for those who may know', async () => {
  const { owner, ann, bob, gus } = await scene()
  await bob.post('/users/me/status', { status_text: 'busy' })
  await bob.post('/users/me/presence', { status: 'active' })
  await owner.delete(`/users/${bob.id}`)
  await gus.listen(listening)
  await ann.listen(listening)
  const keeper = await Keeper.start(owner)
  await owner.post(`/users/${bob.id}/reactivate`)
  await keeper.assertCurrent()
  const of = (events: Body[], type: string) => events.filter((event) => event['type'] === type)
  const told = await ann.events()
  expect(of(told, 'user_status')).toMatchObject([{ user_id: bob.id, status_text: 'busy' }])
  expect(of(told, 'presence')).toMatchObject([{ user_id: bob.id, email: 'bob@test.example' }])
  expect(await gus.events()).toEqual([])
})
