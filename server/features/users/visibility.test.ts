import { describe, expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { boot, type Body, Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'
import { Role } from './roles.ts'

const everybody = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const

/** Those who see an address by each `email_address_visibility`. */
const seers: Record<number, readonly string[]> = {
  1: everybody,
  2: everybody.slice(0, 4),
  3: everybody.slice(0, 2),
  4: [],
  5: everybody.slice(0, 3),
}

describe('an e-mail address', () => {
  test.each([1, 2, 3, 4, 5])('of visibility %i is shown to whom its owner shows it', async (visibility) => {
    const server = await boot()
    const ann = await server.as('ann')
    await ann.patch('/settings', { email_address_visibility: visibility })
    const email = visibility === 1 ? 'ann@test.example' : `user${ann.id}@test.local`
    for (const role of everybody) {
      const viewer = await server.as(`${role}1`, role)
      const isShown = seers[visibility]!.includes(role)
      const { user } = await viewer.get(`/users/${ann.id}`)
      expect(user).toMatchObject({ email, delivery_email: isShown ? 'ann@test.example' : null })
      // A client that cannot know the address cannot compute the picture from it.
      expect(user.avatar_url).toEqual(isShown ? null : expect.stringContaining('/avatar/'))
      expect((await viewer.get(`/users/user${ann.id}@test.local`))['user'].user_id).toBe(ann.id)
      if (isShown) await viewer.get('/users/ann@test.example')
      else await viewer.refused('GET', '/users/ann@test.example', {}, 'BAD_REQUEST')
    }
    expect(await ann.get('/users/me')).toMatchObject({ email, delivery_email: 'ann@test.example' })
  })

  test('that is hidden is in no message, and stands for its user in requests', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await ann.patch('/settings', { email_address_visibility: 4 })
    const dummy = `user${ann.id}@test.local`
    await ann.join('general')
    await bob.join('general')
    await bob.listen()
    await ann.say('general', 'hi', 'Hello')
    await ann.post('/typing', { op: 'start', to: [bob.id] })
    const events = await bob.events()
    expect(events).toMatchObject([
      { type: 'message', message: { sender_email: dummy, avatar_url: expect.stringContaining('/avatar/') } },
      { type: 'typing', sender: { email: dummy } },
    ])
    await bob.post('/messages', { type: 'direct', to: JSON.stringify([dummy]), content: 'Hi' })
    await bob.refused(
      'POST',
      '/messages',
      { type: 'direct', to: ['ann@test.example'], content: 'Hi' },
      'BAD_REQUEST',
    )
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })
    expect(JSON.stringify(messages)).not.toContain('ann@test.example')
    // Its owner signs requests with either.
    await new Person(ann.base, dummy, ann.apiKey, ann.id).get('/users/me')
    await ann.get('/users/me')
  })

  test('when it changes, or who sees it, each is told what they may know', async () => {
    const server = await boot()
    const owner = await server.owner()
    const known = await server.as('ann')
    const ann = new Person(known.base, `user${known.id}@test.local`, known.apiKey, known.id)
    const adam = await server.listenAs('adam', 'administrator')
    const bob = await server.listenAs('bob')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await adam.events()
    const forms = async (person: Person) =>
      (await person.events()).filter(({ type }) => type === 'realm_user').map((event) => event['person'])
    await ann.patch('/settings', { email_address_visibility: 3 })
    const user_id = ann.id
    expect(await forms(adam)).toEqual([{ user_id, new_email: `user${ann.id}@test.local` }])
    expect(await forms(bob)).toEqual([
      { user_id, delivery_email: null },
      expect.objectContaining({ user_id, avatar_url: expect.any(String) }),
      { user_id, new_email: `user${ann.id}@test.local` },
    ])
    await ann.patch('/settings', { email: 'b@test.example' })
    expect(await forms(adam)).toEqual([{ user_id, delivery_email: 'b@test.example' }])
    expect(await forms(bob)).toEqual([])
    // Who becomes an administrator sees it, and no longer when they are none.
    await owner.patch(`/users/${bob.id}`, { role: 200 })
    expect((await forms(bob)).at(-1)).toEqual({ user_id, delivery_email: 'b@test.example' })
    await owner.patch(`/users/${bob.id}`, { role: 400 })
    expect((await forms(bob)).at(-1)).toEqual({ user_id, delivery_email: null })
    expect(await stranger.events()).toEqual([])
    for (const viewer of [adam, bob]) {
      await expectConverges(viewer, async () => {
        await ann.patch('/settings', { email_address_visibility: 1 })
        await ann.patch('/settings', { email_address_visibility: 5 })
        await ann.patch('/settings', { email: `c${viewer.id}@test.example` })
      })
    }
  })
})

describe('a guest of an organization where guests see only whom they meet', () => {
  /** Guests see only whom they share a channel or direct messages with. */
  async function limit(server: TestServer): Promise<void> {
    const { id } = server.realm('test')
    const ctx = new RealmContext(server.running.server, server.realm('test'))
    const members = ctx.db.first(
      ctx.db.q.selectFrom('user_groups').select('id').where('name', '=', 'role:members'),
    )
    const settings = JSON.stringify({ can_access_all_users_group: members!.id })
    const { database } = server.running.server
    database.transact(() => database.run('UPDATE realms SET settings = ? WHERE id = ?', [settings, id]))
    await database.durable()
  }

  async function scene() {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const gus = await server.as('gus', 'guest')
    await limit(server)
    await ann.join('shared', { principals: [ann.id, gus.id] })
    return { server, owner, ann, bob, gus }
  }

  test('knows nobody else', async () => {
    const { owner, ann, bob, gus } = await scene()
    const ids = async (person: Person) =>
      (await person.get('/users'))['members'].map((user: Body) => user['user_id'])
    expect(await ids(gus)).toEqual([ann.id, gus.id])
    expect(await ids(bob)).toEqual([owner.id, ann.id, bob.id, gus.id])
    await gus.refused('GET', `/users/${bob.id}`, {}, 'BAD_REQUEST')
    await gus.refused('GET', '/users/bob@test.example', {}, 'BAD_REQUEST')
    await gus.refused('POST', '/messages', { type: 'direct', to: [bob.id], content: 'Hi' }, 'BAD_REQUEST')
    const older = await gus.listen({ fetch_event_types: ['realm_user'] })
    expect(older['realm_users'].find((user: Body) => user['user_id'] === bob.id)).toMatchObject({
      full_name: 'Unknown user',
      email: `user${bob.id}@test.local`,
      delivery_email: null,
    })
    const newer = await gus.listen({
      fetch_event_types: ['realm_user'],
      client_capabilities: { user_list_incomplete: true },
    })
    expect(newer['realm_users'].map((user: Body) => user['user_id'])).toEqual([ann.id, gus.id])
  })

  test('hears of nobody else, and of those they come to know and lose', async () => {
    const { owner, ann, bob, gus } = await scene()
    await gus.listen({ client_capabilities: { user_list_incomplete: true } })
    const heard = async () =>
      (await gus.events())
        .filter(({ type }) => type === 'realm_user')
        .map(({ op, person }) => [op, person.user_id])
    await bob.patch('/settings', { full_name: 'Bob B.', timezone: 'Europe/Lisbon' })
    await owner.post('/users', { email: 'n@x.example', full_name: 'N', password: 'a password' })
    expect(await heard()).toEqual([])
    await ann.patch('/settings', { full_name: 'Ann B.' })
    expect(await heard()).toEqual([['update', ann.id]])
    await bob.join('shared')
    expect(await heard()).toEqual([['add', bob.id]])
    await bob.delete('/users/me/subscriptions', { subscriptions: ['shared'] })
    expect(await heard()).toEqual([['remove', bob.id]])
    await bob.tell([gus], 'Hello')
    expect(await heard()).toEqual([['add', bob.id]])
    await gus.tell([bob], 'Hello yourself')
  })

  test('is told by whom a message is only where they know them', async () => {
    const { ann, bob, gus } = await scene()
    await gus.listen()
    await ann.listen()
    await bob.say('shared', 'hi', 'From outside')
    const unsigned = {
      sender_id: bob.id,
      sender_full_name: 'Unknown user',
      sender_email: `user${bob.id}@test.local`,
    }
    const [event] = (await gus.events()).filter(({ type }) => type === 'message')
    expect(event).toMatchObject({
      message: { ...unsigned, avatar_url: expect.stringMatching(/\/avatar\/0$/) },
    })
    const [known] = (await ann.events()).filter(({ type }) => type === 'message')
    expect(known).toMatchObject({ message: { sender_full_name: 'Bob', sender_email: 'bob@test.example' } })
    const { messages } = await gus.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    expect(messages).toMatchObject([unsigned])
  })

  test('keeps a snapshot right, whatever their client can do', async () => {
    const { owner, ann, bob, gus } = await scene()
    await expectConverges(gus, async () => {
      await owner.post('/users', { email: 'n@x.example', full_name: 'N', password: 'a password' })
      await bob.patch('/settings', { full_name: 'Bob C.' })
      await bob.join('shared')
      await ann.delete('/users/me/subscriptions', { subscriptions: ['shared'] })
      await owner.tell([gus], 'Hello')
      await owner.delete(`/users/${bob.id}`)
    })
    await expectConverges(gus, () => owner.patch(`/users/${gus.id}`, { role: Role.member }))
    await expectConverges(gus, () => owner.patch(`/users/${gus.id}`, { role: Role.guest }))
  })
})
