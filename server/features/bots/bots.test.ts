import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { boot, type Body, Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'
import { schemaProblems } from '../../test/contract.ts'

const newBot = (person: Person, more: object = {}): Promise<Body> =>
  person.post('/bots', { full_name: 'Build', short_name: 'build', ...more })

const asBot = (person: Person, bot: Body): Person =>
  new Person(person.base, bot['email'], bot['api_key'], bot['user_id'])

/** A service that notes what it is sent and answers in turn. */
async function service(...answers: { status?: number; body?: unknown }[]) {
  const calls: Body[] = []
  const http = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk: Buffer) => (text += chunk.toString()))
    req.on('end', () => {
      calls.push(JSON.parse(text) as Body)
      const { status = 200, body = {} } = answers.shift() ?? {}
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return { calls, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook` }
}

describe('bots', () => {
  test('are made, renamed, handed over and ended; who may manage them hears of it', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.listen()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    const drain = async () => {
      for (const person of [owner, ann, bob]) await person.events()
    }
    await drain()
    const bot = await newBot(ann, { default_all_public_streams: true })
    expect(bot).toMatchObject({ email: 'build-bot@test.local', owner_id: ann.id, bot_type: 1, services: [] })
    const { result: _result, msg: _msg, ...plain } = bot
    expect(schemaProblems('Bot', plain)).toBeNull()
    const user = { type: 'realm_user', op: 'add', person: { user_id: bot['user_id'], is_bot: true } }
    const added = { type: 'realm_bot', op: 'add', bot: plain }
    expect((await ann.events()).filter(({ type }) => type.startsWith('realm_'))).toMatchObject([user, added])
    expect((await owner.events()).filter(({ type }) => type.startsWith('realm_'))).toMatchObject([
      user,
      added,
    ])
    expect((await bob.events()).filter(({ type }) => type.startsWith('realm_'))).toMatchObject([user])
    expect((await ann.get('/bots'))['bots']).toMatchObject([{ user_id: bot['user_id'] }])
    expect((await bob.get('/bots'))['bots']).toEqual([])

    const at = `/bots/${bot['user_id']}`
    await ann.patch(at, { full_name: 'Builder', bot_owner_id: bob.id })
    const told = async (person: Person) =>
      (await person.events())
        .filter(({ type }) => type === 'realm_bot')
        .map(({ op, bot }) => ({ op, ...bot }))
    expect(await told(owner)).toEqual([
      { op: 'update', user_id: bot['user_id'], full_name: 'Builder' },
      { op: 'update', user_id: bot['user_id'], owner_id: bob.id },
    ])
    expect(await told(ann)).toMatchObject([{ op: 'update', full_name: 'Builder' }, { op: 'delete' }])
    expect(await told(bob)).toMatchObject([{ op: 'add', owner_id: bob.id, full_name: 'Builder' }])
    await ann.refused('PATCH', at, { full_name: 'Mine' }, 'BAD_REQUEST')
    await ann.refused('DELETE', at, {}, 'BAD_REQUEST')
    await ann.refused('GET', `${at}/api_key`, {}, 'BAD_REQUEST')
    await ann.refused('POST', `${at}/api_key/regenerate`, {}, 'BAD_REQUEST')
    expect(await bob.get(`${at}/api_key`)).toMatchObject({ api_key: bot['api_key'] })
    const { api_key } = await bob.post(`${at}/api_key/regenerate`)
    expect(await told(bob)).toEqual([{ op: 'update', user_id: bot['user_id'], api_key }])
    await asBot(ann, bot).refused('GET', '/users/me', {}, 'INVALID_API_KEY', 401)
    await asBot(ann, { ...bot, api_key }).get('/users/me')
    await owner.delete(at)
    expect(await told(bob)).toEqual([{ op: 'update', user_id: bot['user_id'], is_active: false }])
    await asBot(ann, { ...bot, api_key }).refused('GET', '/users/me', {}, 'USER_DEACTIVATED', 401)
    expect(await stranger.events()).toEqual([])
    const snapshot = { fetch_event_types: ['realm_bot', 'realm_embedded_bots'] }
    expect(await ann.listen(snapshot)).toMatchObject({ realm_bots: [], realm_embedded_bots: [] })
    expect((await owner.listen(snapshot))['realm_bots']).toMatchObject([{ is_active: false }])
  })

  test('whose channel is renamed are told of with its name, to who may manage them', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const bob = await server.listenAs('bob')
    await ann.join(['builds', 'news'])
    const both = { default_sending_stream: 'builds', default_events_register_stream: 'builds' }
    const bot = await newBot(ann, both)
    const other = await newBot(ann, {
      full_name: 'Crier',
      short_name: 'crier',
      default_sending_stream: 'news',
    })
    await newBot(ann, { full_name: 'Quiet', short_name: 'quiet' })
    const told = async (person: Person) =>
      (await person.events())
        .filter(({ type }) => type === 'realm_bot')
        .map(({ op, bot }) => ({ op, ...bot }))
    const rename = async (from: string, to: string) => {
      const { stream_id } = await ann.get('/get_stream_id', { stream: from })
      await owner.patch(`/streams/${stream_id}`, { new_name: to })
    }
    await bob.events()
    for (const person of [owner, ann]) {
      await expectConverges(person, async () => {
        await rename('builds', 'ci')
        await rename('news', 'press')
      })
      await rename('ci', 'builds')
      await rename('press', 'news')
    }
    await ann.listen()
    await rename('builds', 'ci')
    await rename('news', 'press')
    expect(await told(ann)).toEqual([
      {
        op: 'update',
        user_id: bot['user_id'],
        default_sending_stream: 'ci',
        default_events_register_stream: 'ci',
      },
      { op: 'update', user_id: other['user_id'], default_sending_stream: 'press' },
    ])
    expect(await told(bob)).toEqual([])
  })

  test.each([
    ['an embedded one', { bot_type: 4 }],
    ['a name in use', { full_name: 'FIRST', short_name: 'second' }],
    ['an address in use', { full_name: 'Second', short_name: 'first' }],
    ['an address that cannot be', { short_name: 'a b' }],
    ['an outgoing one without an address to call', { bot_type: 3 }],
    ['one that calls a file', { bot_type: 3, payload_url: 'file:///etc/passwd' }],
    ['one of another format', { bot_type: 3, payload_url: 'http://x.example/', interface_type: 2 }],
    ['one that writes nowhere', { default_sending_stream: 'nowhere' }],
  ])('refuse %s', async (_what, wrong) => {
    const ann = await (await boot()).as('ann')
    await newBot(ann, { full_name: 'First', short_name: 'first' })
    await ann.refused('POST', '/bots', { full_name: 'Build', short_name: 'build', ...wrong }, 'BAD_REQUEST')
    expect((await ann.get('/bots'))['bots']).toHaveLength(1)
  })

  test('are made by whom the organization lets, and never by guests or bots', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    const bot = asBot(ann, await newBot(ann))
    const fields = { full_name: 'Other', short_name: 'other' }
    await gus.refused('POST', '/bots', fields, 'BAD_REQUEST')
    await bot.refused('POST', '/bots', fields, 'BAD_REQUEST')
    await bot.refused('GET', '/bots', {}, 'BAD_REQUEST')
    await bot.refused('POST', '/users/me/api_key/regenerate', {}, 'BAD_REQUEST')
    await bot.refused('DELETE', '/users/me', {}, 'BAD_REQUEST')
    await bot.refused('PATCH', '/settings', { full_name: 'Me' }, 'BAD_REQUEST')
    await bot.refused('GET', '/invites', {}, 'BAD_REQUEST')
    await ann.refused('GET', `/bots/${gus.id}/api_key`, {}, 'BAD_REQUEST')
    // Where members may not make bots, some may still make those that only write.
    const { id } = server.realm('test')
    const { database } = server.running.server
    const nobody = { direct_members: [], direct_subgroups: [] }
    const settings = JSON.stringify({ can_create_bots_group: nobody })
    database.transact(() => database.run('UPDATE realms SET settings = ? WHERE id = ?', [settings, id]))
    await ann.refused('POST', '/bots', fields, 'BAD_REQUEST')
    await ann.post('/bots', { ...fields, bot_type: 2 })
  })

  test('go with their owner', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const bot = asBot(ann, await newBot(ann))
    await owner.delete(`/users/${ann.id}`)
    await bot.refused('GET', '/users/me', {}, 'USER_DEACTIVATED', 401)
  })
})

test('an incoming webhook bot sends messages, and does nothing else', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  await ann.join('general')
  const bot = asBot(ann, await newBot(ann, { bot_type: 2 }))
  await bot.say('general', 'builds', 'Done.')
  await bot.tell([ann], 'Done.')
  for (const path of ['/messages', '/users', '/users/me', '/streams']) {
    await bot.refused('GET', path, { num_before: 1, num_after: 0, anchor: 'newest' }, 'UNAUTHORIZED', 401)
  }
  await bot.refused('POST', '/register', {}, 'UNAUTHORIZED', 401)
  await bot.refused('PATCH', '/settings', {}, 'UNAUTHORIZED', 401)
})

describe('an outgoing webhook bot', () => {
  const messagesOf = async (person: Person): Promise<Body[]> =>
    (
      await person.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false })
    )['messages']
  const outgoing = (person: Person, payload_url: string) =>
    newBot(person, { bot_type: 3, payload_url, full_name: 'Answerer', short_name: 'answerer' })
  const bySender = (messages: Body[], id: number) => messages.filter(({ sender_id }) => sender_id === id)

  test('is told of what is written to it, and its service answers', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const { calls, url } = await service(
      { body: { content: 'Hello, *Ann*!' } },
      { body: { response_not_required: true } },
    )
    const bot = await outgoing(ann, url)
    const person = asBot(ann, bot)
    await ann.tell([person], 'Hi **there**')
    await vi.waitFor(async () => expect(bySender(await messagesOf(ann), person.id)).toHaveLength(1))
    expect(bySender(await messagesOf(ann), person.id)[0]).toMatchObject({
      content: 'Hello, *Ann*!',
      type: 'private',
    })
    expect(calls[0]).toMatchObject({
      bot_email: 'answerer-bot@test.local',
      bot_full_name: 'Answerer',
      data: 'Hi **there**',
      message: {
        sender_id: ann.id,
        content: 'Hi **there**',
        rendered_content: expect.stringContaining('<strong>'),
      },
      token: bot['services'][0].token,
      trigger: 'direct_message',
    })
    await ann.tell([person], 'And?')
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    expect(bySender(await messagesOf(ann), person.id)).toHaveLength(1)
  })

  test('that fails tells its owner, after three tries where trying again may help', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const { calls, url } = await service({ status: 404 }, { status: 500 }, { body: { content: 'There!' } })
    const person = asBot(ann, await outgoing(ann, url))
    await ann.tell([person], 'One')
    await vi.waitFor(async () => {
      const notices = (await messagesOf(ann)).filter(({ content }) => content.includes('404'))
      expect(notices).toMatchObject([{ sender_full_name: 'Notification Bot' }])
    })
    expect(calls).toHaveLength(1)
    await ann.tell([person], 'Two')
    const answered = async () => expect(bySender(await messagesOf(ann), person.id)).toHaveLength(1)
    await vi.waitFor(answered, { timeout: 8000 })
    expect(calls.map(({ data }) => data)).toEqual(['One', 'Two', 'Two'])
  })

  test('is called after a restart with what was waiting', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-bots-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const first: TestServer = await boot({ dataDir })
    const ann = await first.as('ann')
    // Nobody listens there: the tries are still going on when the server stops.
    const { url, calls } = await service({ body: { content: 'Late, but here.' } })
    const bot = await outgoing(ann, 'http://127.0.0.1:9/')
    await ann.tell([asBot(ann, bot)], 'Hello?')
    await ann.patch(`/bots/${bot['user_id']}`, { service_payload_url: url })
    await first.close()
    const second = await boot({ dataDir })
    const again = new Person(ann.base.replace(first.url, second.url), ann.email, ann.apiKey, ann.id)
    await vi.waitFor(async () => expect(bySender(await messagesOf(again), bot['user_id'])).toHaveLength(1))
    expect(calls).toMatchObject([{ data: 'Hello?' }])
  })
})
