import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { boot, type Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'
import { Keeper } from '../../test/converges.ts'
import type { UserSettings } from '../user-settings/settings.ts'
import { updateUser } from '../users/store.ts'
import { followAfterParticipating, followWhereMentioned, moveUserTopics } from './actions.ts'

async function office(dataDir?: string) {
  const server = await boot(dataDir ? { dataDir } : {})
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general', { principals: [ann.id, bob.id] })
  const [{ stream_id }] = (await ann.get('/streams'))['streams']
  return { server, ann, bob, stream_id: stream_id as number }
}

const choose = (person: Person, stream_id: number, topic: string, visibility_policy: number) =>
  person.post('/user_topics', { stream_id, topic, visibility_policy })

const topicsOf = async (person: Person) =>
  (await person.post('/register', { fetch_event_types: ['user_topic'] }))['user_topics'].map(
    (entry: { topic_name: string; visibility_policy: number }) => [entry.topic_name, entry.visibility_policy],
  )

function change(server: TestServer, work: (tx: Tx, ctx: RealmContext) => void): void {
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  ctx.transact((tx) => work(tx, ctx))
}

const set = (server: TestServer, person: Person, settings: Partial<UserSettings>): void =>
  change(server, (tx) => updateUser(tx, person.id, { settings: JSON.stringify(settings) }))

test('of a choice in an archived channel nobody is told', async () => {
  const { server, ann, stream_id } = await office()
  await (await server.owner()).delete(`/streams/${stream_id}`)
  await expectConverges(ann, () => choose(ann, stream_id, 'lunch', 1))
  await ann.listen({ event_types: ['user_topic'] })
  await choose(ann, stream_id, 'dinner', 3)
  expect(await ann.events()).toEqual([])
})

test('muted topics of an archived channel are gone from clients of old, which know it by its name', async () => {
  const { server, ann, bob, stream_id } = await office()
  await choose(ann, stream_id, 'lunch', 1)
  const old = await server.listenAs('ann', 'member', { event_types: ['muted_topics'] })
  const modern = await server.listenAs('ann', 'member', { event_types: ['muted_topics', 'user_topic'] })
  await bob.listen({ event_types: ['muted_topics'] })
  await (await server.owner()).delete(`/streams/${stream_id}`)
  expect(await old.events()).toMatchObject([{ type: 'muted_topics', muted_topics: [] }])
  expect(await modern.events()).toEqual([])
  expect(await bob.events()).toEqual([])
})

test('choices in a private channel that was left are out of sight with it, and come back with it', async () => {
  const { server, ann, bob } = await office()
  const owner = await server.owner()
  await ann.join('secret', { invite_only: true, principals: [ann.id, bob.id] })
  const { stream_id } = await bob.get('/get_stream_id', { stream: 'secret' })
  await choose(bob, stream_id, 'plan', 3)
  await choose(bob, stream_id, 'noise', 1)
  const keepers = [
    await Keeper.start(await server.as('bob')),
    await Keeper.start(await server.as('bob'), 'legacy'),
    await Keeper.start(await server.as('ann')),
  ]
  const fresh = () => bob.post('/register', { fetch_event_types: ['user_topic', 'subscription'] })
  const muted = async () =>
    (await bob.post('/register', { fetch_event_types: ['muted_topics'] }))['muted_topics']
  expect((await fresh())['user_topics']).toHaveLength(2)
  await bob.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
  for (const keeper of keepers) await keeper.assertCurrent()
  expect((await fresh())['user_topics']).toEqual([])
  // Nor does its next name get out by them.
  await owner.patch(`/streams/${stream_id}`, { new_name: 'layoffs' })
  expect(await muted()).toEqual([])
  await bob.listen({ event_types: ['user_topic', 'muted_topics'] })
  await ann.join('layoffs', { principals: [bob.id] })
  expect(await bob.events()).toMatchObject([
    { type: 'user_topic', stream_id, topic_name: 'noise', visibility_policy: 1 },
    { type: 'user_topic', stream_id, topic_name: 'plan', visibility_policy: 3 },
  ])
  for (const keeper of keepers) await keeper.assertCurrent()
  expect(await muted()).toMatchObject([['layoffs', 'noise', expect.any(Number)]])
})

describe('POST /user_topics', () => {
  test('is told to the own clients only, in the form they know', async () => {
    const { server, ann, bob, stream_id } = await office()
    await ann.listen({ event_types: ['user_topic', 'muted_topics'] })
    const legacy = await server.listenAs('ann', 'member', { event_types: ['muted_topics'] })
    const old = await server.listenAs('ann', 'member', { client_capabilities: {} })
    await bob.listen()
    await choose(ann, stream_id, ' Lunch ', 1)
    await choose(ann, stream_id, 'lunch', 1)
    await choose(ann, stream_id, '', 3)
    await choose(ann, stream_id, 'LUNCH', 0)
    const last_updated = expect.any(Number)
    const told = (topic_name: string, visibility_policy: number) => ({
      type: 'user_topic',
      stream_id,
      topic_name,
      visibility_policy,
      last_updated,
    })
    const muted = [['general', 'Lunch', expect.any(Number)]]
    expect(await ann.events()).toMatchObject([told('Lunch', 1), told('', 3), told('LUNCH', 0)])
    expect(await legacy.events()).toMatchObject([
      { type: 'muted_topics', muted_topics: muted },
      { type: 'muted_topics', muted_topics: [] },
    ])
    expect(await old.events()).toMatchObject([
      { type: 'muted_topics' },
      told('Lunch', 1),
      told('general chat', 3),
      { type: 'muted_topics' },
      told('LUNCH', 0),
    ])
    expect(await bob.events()).toEqual([])
  })

  test('stands in the register response after a restart', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const { server, ann, stream_id } = await office(dataDir)
    await choose(ann, stream_id, 'general chat', 1)
    await choose(ann, stream_id, '(no topic)', 1)
    await choose(ann, stream_id, 'Lunch', 2)
    await server.close()
    const again = await boot({ dataDir })
    const back = new (ann.constructor as new (...args: unknown[]) => Person)(
      `${again.url}/r/test`,
      ann.email,
      ann.apiKey,
      ann.id,
    )
    const all = await back.post('/register', { client_capabilities: { empty_topic_name: true } })
    expect(all['user_topics']).toMatchObject([
      { stream_id, topic_name: '', visibility_policy: 1 },
      { stream_id, topic_name: 'Lunch', visibility_policy: 2 },
    ])
    expect(all['muted_topics']).toEqual([['general', '', expect.any(Number)]])
    const shown = await back.post('/register', { fetch_event_types: ['muted_topics'] })
    expect(shown['muted_topics']).toMatchObject([['general', 'general chat', expect.any(Number)]])
    const both = await back.post('/register', { fetch_event_types: ['user_topic', 'muted_topics'] })
    expect(both).not.toHaveProperty('muted_topics')
  })

  test('needs a channel one may see, but for taking a choice back', async () => {
    const { server, ann, bob } = await office()
    await ann.join('secret', { invite_only: true, principals: [ann.id, bob.id] })
    const { stream_id } = (await ann.get('/streams'))['streams'].find(
      ({ name }: { name: string }) => name === 'secret',
    )
    const gus = await server.as('gus', 'guest')
    const other = await server.as('zoe', 'member', 'elsewhere')
    const refused = (person: Person, id: number, policy: number) =>
      person.refused(
        'POST',
        '/user_topics',
        { stream_id: id, topic: 't', visibility_policy: policy },
        'BAD_REQUEST',
      )
    await refused(gus, stream_id, 1)
    await refused(other, stream_id, 1)
    await refused(ann, 4711, 1)
    await refused(ann, stream_id, 4)
    await choose(bob, stream_id, 't', 3)
    await bob.delete('/users/me/subscriptions', { subscriptions: ['secret'] })
    await refused(bob, stream_id, 2)
    await choose(bob, stream_id, 't', 0)
    expect(await topicsOf(bob)).toEqual([])
    await ann.refused(
      'POST',
      '/user_topics',
      { stream_id, topic: 'x'.repeat(61), visibility_policy: 1 },
      'BAD_REQUEST',
    )
  })

  test('leaves archived channels out of the snapshot', async () => {
    const { server, ann, stream_id } = await office()
    await choose(ann, stream_id, 't', 1)
    await (await server.owner()).delete(`/streams/${stream_id}`)
    expect(await topicsOf(ann)).toEqual([])
  })
})

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  test('mutes and unmutes by name and by id', async () => {
    const { ann, stream_id } = await office()
    const path = '/users/me/subscriptions/muted_topics'
    await ann.patch(path, { op: 'add', stream: 'General', topic: 'one' })
    await ann.patch(path, { op: 'add', stream_id, topic: 'two' })
    expect(await topicsOf(ann)).toEqual([
      ['one', 1],
      ['two', 1],
    ])
    await ann.patch(path, { op: 'remove', stream_id, topic: 'ONE' })
    expect(await topicsOf(ann)).toEqual([['two', 1]])
    const refuse = (params: object, code = 'BAD_REQUEST') =>
      ann.refused('PATCH', path, { op: 'add', topic: 't', ...params }, code)
    await refuse({ stream: 'general', stream_id })
    await refuse({}, 'REQUEST_VARIABLE_MISSING')
    await refuse({ stream: 'nowhere' })
    await refuse({ stream_id, op: 'toggle' })
  })
})

describe('taking part', () => {
  const send = async (person: Person, topic: string) =>
    (await person.post('/messages', { type: 'channel', to: 'general', topic, content: 'hi' }))[
      'automatic_new_visibility_policy'
    ]

  test('whoever starts a topic follows it, unless they want otherwise', async () => {
    const { server, ann, bob, stream_id } = await office()
    await ann.listen()
    expect(await send(ann, 'new')).toBe(3)
    expect(await ann.events()).toMatchObject([{ type: 'message' }, { type: 'user_topic' }])
    expect(await send(bob, 'NEW')).toBeUndefined()
    expect(await send(ann, 'new')).toBeUndefined()
    set(server, ann, { automatically_follow_topics_policy: 4 })
    expect(await send(ann, 'other')).toBeUndefined()
    set(server, bob, { automatically_follow_topics_policy: 2 })
    expect(await send(bob, 'other')).toBe(3)
    // A choice made for the topic itself stands against having started it.
    set(server, ann, {})
    await choose(ann, stream_id, 'mine', 1)
    expect(await send(ann, 'mine')).toBeUndefined()
    expect(await topicsOf(ann)).toEqual([
      ['mine', 1],
      ['new', 3],
    ])
  })

  test('in a muted channel it can be enough to unmute the topic', async () => {
    const { server, ann, bob, stream_id } = await office()
    change(server, (tx) => tx.runSql('UPDATE subscriptions SET is_muted = 1 WHERE realm_id = :realm'))
    await send(bob, 'old')
    // By default: whoever sends unmutes, whoever starts follows.
    expect(await send(ann, 'old')).toBe(2)
    expect(await send(ann, 'old')).toBeUndefined()
    await choose(ann, stream_id, 'old', 3)
    expect(await send(ann, 'old')).toBeUndefined()
    set(server, ann, { automatically_unmute_topics_in_muted_streams_policy: 4 })
    await send(bob, 'older')
    expect(await send(ann, 'older')).toBeUndefined()
  })

  test('by reacting or voting counts only where participation is enough', async () => {
    const { server, ann, stream_id } = await office()
    const take = (topic: string) =>
      change(server, (tx, ctx) => {
        const user = tx.first(tx.q.selectFrom('users').selectAll().where('id', '=', ann.id))
        if (user) followAfterParticipating(ctx, tx, user, { channelId: stream_id, topic })
      })
    take('one')
    set(server, ann, { automatically_follow_topics_policy: 1 })
    take('two')
    expect(await topicsOf(ann)).toEqual([['two', 3]])
  })

  test('by being mentioned, unless the topic is muted or the setting is off', async () => {
    const { server, ann, bob, stream_id } = await office()
    const cat = await server.as('cat')
    await choose(ann, stream_id, 't', 1)
    set(server, cat, { automatically_follow_topics_where_mentioned: false })
    change(server, (tx, ctx) =>
      followWhereMentioned(ctx, tx, [ann.id, bob.id, cat.id], { channelId: stream_id, topic: 'T' }),
    )
    expect(await topicsOf(ann)).toEqual([['t', 1]])
    expect(await topicsOf(bob)).toEqual([['T', 3]])
    expect(await topicsOf(cat)).toEqual([])
  })
})

test('voting in a poll is taking part; so is being mentioned by an edit', async () => {
  const { ann, bob } = await office()
  await bob.patch('/settings', {
    automatically_follow_topics_policy: 1,
    automatically_follow_topics_where_mentioned: true,
  })
  const message_id = await ann.say('general', 'lunch', '/poll Lunch?\nsoup')
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  await bob.post('/submessage', { message_id, msg_type: 'widget', content })
  expect(await topicsOf(bob)).toEqual([['lunch', 3]])
  const other = await ann.say('general', 'dinner', 'who cooks?')
  await ann.patch(`/messages/${other}`, { content: `who cooks, @_**Bob|${bob.id}**?` })
  expect(await topicsOf(bob)).toEqual([['lunch', 3]])
  await ann.patch(`/messages/${other}`, { content: `who cooks, @**Bob|${bob.id}**?` })
  expect(await topicsOf(bob)).toEqual(expect.arrayContaining([['dinner', 3]]))
  // Who chose otherwise since is not asked again by an edit that mentions them as before.
  const { stream_id } = (await bob.get('/streams'))['streams'][0]
  await choose(bob, stream_id, 'dinner', 0)
  await ann.patch(`/messages/${other}`, { content: `Who cooks today, @**Bob|${bob.id}**?` })
  expect(await topicsOf(bob)).toEqual([['lunch', 3]])
})

test('choices move with a topic, and the more prominent one holds in a merge', async () => {
  const { server, ann, bob, stream_id } = await office()
  await choose(ann, stream_id, 'a', 1)
  await choose(bob, stream_id, 'a', 3)
  await choose(bob, stream_id, 'b', 1)
  const move = (from: string, to: string, isMerge: boolean) =>
    change(server, (tx, ctx) =>
      moveUserTopics(
        ctx,
        tx,
        { channelId: stream_id, topic: from },
        { channelId: stream_id, topic: to },
        { isMerge },
      ),
    )
  move('a', 'b', true)
  expect(await topicsOf(ann)).toEqual([])
  expect(await topicsOf(bob)).toEqual([['b', 3]])
  await choose(ann, stream_id, 'c', 2)
  move('b', 'c', false)
  expect(await topicsOf(ann)).toEqual([])
  expect(await topicsOf(bob)).toEqual([['c', 3]])
})
