import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Config, loadConfig } from '../../config.ts'
import { createServer, type RunningServer, type ServerOptions } from '../../server.ts'
import { customEmoji } from './assets/custom-emoji.ts'
import { pierTimings } from './assets/pier-timings.ts'
import { groups, people, type Person, subscriptionChoices } from './office.ts'
import { FieldType } from './profiles.ts'

type Body = Record<string, any>

const DAY = 86_400
const names = Object.keys(people) as Person[]
const everybody = names.map((name) => people[name].email)

const newFolder = () => mkdtemp(join(tmpdir(), 'parley-demo-'))
const start = (dataDir: string, config: Partial<Config> = {}, options: ServerOptions = {}) =>
  createServer(
    { ...loadConfig({ dataDir, port: '0', dev: true, demo: true, log: 'silent' }, {}), ...config },
    options,
  )

/** A demo of its own, for a test that changes something or needs it made differently. */
async function startOwn(config: Partial<Config> = {}, options: ServerOptions = {}): Promise<RunningServer> {
  const folder = await newFolder()
  const running = await start(folder, config, options)
  onTestFinished(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })
  return running
}

async function call(base: string, method: string, path: string, params: Body = {}, authorization = '') {
  const encoded = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const form = new URLSearchParams(encoded)
  const response = await fetch(method === 'GET' ? `${base}${path}?${form}` : `${base}${path}`, {
    method,
    headers: authorization ? { Authorization: authorization } : {},
    ...(method === 'GET' ? {} : { body: form }),
  })
  return (await response.json()) as Body
}

/** Speaks as one of the office, with the key that a development server gives. */
async function signIn(running: RunningServer, email: string) {
  const base = `${running.url}/r/demo/api/v1`
  const { api_key, user_id } = await call(base, 'POST', '/dev_fetch_api_key', { username: email })
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  const get = (path: string, params: Body = {}) => call(base, 'GET', path, params, authorization)
  const post = (path: string, params: Body = {}) => call(base, 'POST', path, params, authorization)
  const messages = async (narrow: object[] = []): Promise<Body[]> => {
    const range = { anchor: 'newest', num_before: 5000, num_after: 0, allow_empty_topic_name: true }
    const reply = await get('/messages', { ...range, narrow, apply_markdown: false })
    expect(reply).toMatchObject({ result: 'success', found_oldest: true })
    return reply['messages']
  }
  const subscriptions = async (): Promise<Body[]> =>
    (await get('/users/me/subscriptions', { include_subscribers: true }))['subscriptions']
  return { id: user_id as number, get, post, messages, subscriptions }
}

const admin = (running: RunningServer, path: string) =>
  call(`${running.url}/admin/api`, 'GET', path, {}, `Bearer ${running.adminToken}`)

const channel = (operand: string) => [{ operator: 'channel', operand }]

describe('the office as it is found', () => {
  // These tests only look, so that one demo serves them all.
  let folder: string
  let running: RunningServer
  const as = (name: Person) => signIn(running, people[name].email)
  const rows = (sql: string) => running.server.database.all<Body>(sql)

  beforeAll(async () => {
    folder = await newFolder()
    running = await start(folder)
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('everybody is there in their role, and has been for months', async () => {
    const { members } = await (await as('noah')).get('/users')
    expect(members.map((user: Body) => [user['delivery_email'], user['full_name'], user['role']])).toEqual(
      names.map((name) => [people[name].email, people[name].full_name, people[name].role]),
    )
    const roles = Object.fromEntries(members.map((user: Body) => [user['delivery_email'], user['role']]))
    expect(roles).toEqual({
      'owner@demo.local': 100,
      'admin@demo.local': 200,
      'moderator@demo.local': 300,
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`member${n}@demo.local`, 400])),
      'guest@demo.local': 600,
      'bot@demo.local': 400,
    })
    const monthAgo = Date.now() - 30 * DAY * 1000
    for (const user of members) expect(Date.parse(user['date_joined'])).toBeLessThan(monthAgo)
  })

  test('the bot is generic and the administrator owns it', async () => {
    const { id: bot_owner_id } = await as('johannes')
    const { members } = await (await as('noah')).get('/users')
    const bots = members.filter((user: Body) => user['is_bot'])
    expect(bots).toMatchObject([{ delivery_email: 'bot@demo.local', bot_type: 1, bot_owner_id }])
  })

  test('who holds which grant', async () => {
    const { users } = await admin(running, '/realms/demo/users')
    const holders = (grant: string) =>
      users.filter((user: Body) => user[grant]).map((user: Body) => user['email'])
    expect(holders('can_create_users')).toEqual(['owner@demo.local', 'admin@demo.local'])
    expect(holders('can_change_user_emails')).toEqual(['owner@demo.local'])
  })

  test('the organization has its name and can be visited', async () => {
    const registered = await (await as('noah')).post('/register', { fetch_event_types: ['realm'] })
    expect(registered).toMatchObject({ realm_name: 'Demo office', realm_enable_spectator_access: true })
  })

  test('the channels and who may do what in them', async () => {
    const { streams } = await (await as('amara')).get('/streams', {
      include_all: true,
      include_default: true,
    })
    const facts = streams.map((stream: Body) => ({
      name: stream['name'],
      default: stream['is_default'],
      private: stream['invite_only'],
      web: stream['is_web_public'],
      history: stream['history_public_to_subscribers'],
      policy: stream['stream_post_policy'],
    }))
    const open = { default: false, private: false, web: false, history: true, policy: 1 }
    expect(facts).toEqual([
      { ...open, name: 'general', default: true },
      { ...open, name: 'announcements', default: true, policy: 2 },
      { ...open, name: 'engineering' },
      { ...open, name: 'design', private: true, history: false },
      { ...open, name: 'lounge', web: true },
    ])
    for (const stream of streams) {
      expect(stream.stream_weekly_traffic).toBeGreaterThan(0)
      expect(stream.is_recently_active).toBe(true)
    }
  })

  test('the first message of each channel is known', async () => {
    const amara = await as('amara')
    const { streams } = await amara.get('/streams')
    for (const { name, first_message_id } of streams) {
      expect((await amara.messages(channel(name)))[0]?.['id']).toBe(first_message_id)
    }
  })

  test('who is subscribed', async () => {
    const subscribed = async (name: Person) =>
      (await (await as(name)).subscriptions()).map((subscription) => subscription['name'])
    expect(await subscribed('hana')).toEqual(['general', 'lounge'])
    expect(await subscribed('bot')).toEqual(['engineering'])
    for (const name of names.filter((who) => who !== 'hana' && who !== 'bot')) {
      expect(await subscribed(name)).toEqual(expect.arrayContaining(['general', 'announcements']))
    }
    const design = (await (await as('johannes')).subscriptions()).find(({ name }) => name === 'design')
    const ids = await Promise.all((['johannes', 'sofia', 'tomasz'] as const).map(as))
    expect(design?.['subscribers']).toEqual(ids.map(({ id }) => id))
  })

  test('somebody has pinned and somebody has muted a channel', async () => {
    for (const [name, where, choice] of subscriptionChoices) {
      const subscription = (await (await as(name)).subscriptions()).find((one) => one['name'] === where)
      for (const key of Object.keys(choice)) expect(subscription?.[key]).toBe(true)
    }
  })

  test('only administrators write announcements', async () => {
    const message = { type: 'channel', to: 'announcements', topic: 'hello', content: 'May I?' }
    expect(await (await as('priya')).post('/messages', message)).toMatchObject({ result: 'error' })
    const senders = (await (await as('priya')).messages(channel('announcements'))).map(
      (sent) => sent['sender_email'],
    )
    expect(new Set(senders)).toEqual(new Set(['owner@demo.local', 'admin@demo.local']))
  })

  test('design is closed to others, and its past to whoever came later', async () => {
    const refused = { anchor: 'newest', num_before: 10, num_after: 0, narrow: channel('design') }
    expect(await (await as('priya')).get('/messages', refused)).toMatchObject({ result: 'error' })
    const { streams } = await (await as('priya')).get('/streams')
    expect(streams.map((stream: Body) => stream['name'])).not.toContain('design')

    const all = await (await as('sofia')).messages(channel('design'))
    const seenLater = await (await as('tomasz')).messages(channel('design'))
    expect(await (await as('johannes')).messages(channel('design'))).toHaveLength(all.length)
    expect(seenLater.length).toBeGreaterThan(10)
    expect(seenLater.length).toBeLessThan(all.length)
    const earlier = all[0]?.['id']
    expect(await (await as('tomasz')).get(`/messages/${earlier}`)).toMatchObject({ result: 'error' })
  })

  test('whoever wrote or reacted in a channel is subscribed to it', async () => {
    const outside = rows(`
      SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
        LEFT JOIN (SELECT message_id, user_id FROM reactions UNION ALL
                   SELECT message_id, user_id FROM message_flags) r ON r.message_id = m.id
       WHERE EXISTS (SELECT 1 FROM (SELECT m.sender_id AS id UNION ALL SELECT r.user_id) who
         WHERE who.id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM spans s
           WHERE s.user_id = who.id AND s.conversation_id = c.id AND s.from_id < m.id))`)
    expect(outside).toEqual([])
  })

  test('a few hundred messages of the last fortnight, in their order', async () => {
    const all = rows('SELECT id, timestamp FROM messages ORDER BY id')
    expect(all.length).toBeGreaterThan(300)
    const times = all.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const now = Date.now() / 1000
    expect(times[0]).toBeGreaterThan(now - 14 * DAY)
    expect(times[0]).toBeLessThan(now - 10 * DAY)
    expect(times.at(-1)).toBeLessThan(now)
  })

  test('one topic of engineering is partly older than a week', async () => {
    const narrow = [...channel('engineering'), { operator: 'topic', operand: 'offline timetable cache' }]
    const weekAgo = Date.now() / 1000 - 7 * DAY
    const times = (await (await as('amara')).messages(narrow)).map(({ timestamp }) => timestamp)
    expect(times.filter((time) => time < weekAgo - DAY).length).toBeGreaterThan(3)
    expect(times.filter((time) => time > weekAgo + DAY).length).toBeGreaterThan(3)
  })

  test('topics have conversations of several people, with Markdown in them', async () => {
    const messages = await (await as('priya')).messages()
    const topics = new Map<string, Set<number>>()
    for (const { subject, display_recipient, sender_id } of messages) {
      const key = JSON.stringify([display_recipient, subject])
      topics.set(key, (topics.get(key) ?? new Set()).add(sender_id))
    }
    expect(topics.size).toBeGreaterThan(30)
    expect([...topics.values()].filter((senders) => senders.size > 2).length).toBeGreaterThan(20)
    expect(messages.some(({ subject, type }) => subject === '' && type === 'stream')).toBe(true)
    const html = rows('SELECT group_concat(rendered_content) AS html FROM messages')[0]?.['html']
    for (const tag of ['<ul>', '<ol>', '<blockquote>', '<table>', '<code>', '<strong>', '<a href=']) {
      expect(html).toContain(tag)
    }
  })

  test('people write to each other directly, in twos and in threes', async () => {
    const direct = (await (await as('johannes')).messages()).filter(({ type }) => type === 'private')
    const sizes = new Set(direct.map(({ display_recipient }) => display_recipient.length))
    expect(sizes).toEqual(new Set([2, 3]))
    const others = await (await as('tomasz')).messages()
    expect(others.some(({ display_recipient }) => display_recipient.length === 3)).toBe(false)
  })

  test('reactions with characters and with an emoji of their own', async () => {
    const reactions = (await (await as('amara')).messages()).flatMap((message) => message['reactions'])
    expect(reactions.length).toBeGreaterThan(100)
    expect(reactions).toContainEqual(
      expect.objectContaining({ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }),
    )
    const own = rows('SELECT id, name FROM realm_emoji ORDER BY id')
    expect(own.map(({ name }) => name)).toEqual(['tideline', 'lifebuoy'])
    for (const { id, name } of own) {
      const reaction = { emoji_name: name, emoji_code: String(id), reaction_type: 'realm_emoji' }
      expect(reactions).toContainEqual(expect.objectContaining(reaction))
    }
  })

  test('the custom emoji are pictures of 64 by 64', async () => {
    for (const { name, file_name } of rows('SELECT name, file_name FROM realm_emoji')) {
      const picture = await readFile(join(folder, 'uploads', '1', 'emoji', file_name))
      expect(picture.toString('base64')).toBe(customEmoji[name as keyof typeof customEmoji])
      expect(picture.subarray(1, 4).toString()).toBe('PNG')
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([64, 64])
    }
  })

  test('everybody has read something and has something unread', async () => {
    for (const name of names) {
      const user = await as(name)
      const flags = (await user.messages()).map((message) => message['flags'] as string[])
      expect(flags.some((set) => set.includes('read'))).toBe(true)
      expect(flags.some((set) => !set.includes('read'))).toBe(true)
    }
  })

  test('nobody has their own messages unread, and some left an older one for later', async () => {
    const olderUnread = []
    for (const name of names) {
      const user = await as(name)
      for (const where of await user.subscriptions()) {
        const messages = await user.messages(channel(where['name']))
        const unread = messages.filter((message) => !message['flags'].includes('read'))
        expect(unread.filter((message) => message['sender_id'] === user.id)).toEqual([])
        const lastRead = messages.findLast((message) => message['flags'].includes('read'))
        olderUnread.push(...unread.filter((message) => message['id'] < lastRead?.['id']))
      }
    }
    expect(olderUnread.length).toBeGreaterThan(5)
  })

  test('stars are personal', async () => {
    const starred = async (name: Person) =>
      (await (await as(name)).messages())
        .filter((message) => message['flags'].includes('starred'))
        .map((message) => message['id'])
    expect((await starred('priya')).length).toBeGreaterThan(1)
    expect(await starred('priya')).not.toEqual(await starred('kwame'))
  })

  test('a message links to the one uploaded file', async () => {
    const [attachment, ...more] = rows('SELECT * FROM attachments')
    expect(more).toEqual([])
    expect(attachment?.['path_id']).toMatch(/^1\/\w+\/\w+\/pier-7-timings\.csv$/)
    const file = await readFile(join(folder, 'uploads', attachment?.['path_id']), 'utf8')
    expect(file).toBe(pierTimings.content)
    expect(attachment).toMatchObject({ name: pierTimings.name, size: file.length, content_type: 'text/csv' })
    const [link] = rows('SELECT message_id FROM attachment_messages')
    const { message } = await (await as('amara')).get(`/messages/${link?.['message_id']}`)
    expect(message.content).toContain(`href="/user_uploads/${attachment?.['path_id']}"`)
    expect(attachment?.['create_time']).toBe(message.timestamp * 1000)
  })

  test('profiles have fields of every type', async () => {
    const fields = rows('SELECT id, type, field_data FROM profile_fields ORDER BY sort_order')
    expect(fields.map(({ type }) => type)).toEqual(Object.values(FieldType))
    const { members } = await (await as('noah')).get('/users', { include_custom_profile_fields: true })
    const of = (name: Person) =>
      members.find((user: Body) => user['delivery_email'] === people[name].email)['profile_data']
    const [title, about, office, birthday, website, mentor, code, pronouns] = fields
    const ids = await Promise.all((['sofia', 'priya'] as const).map(as))
    expect(of('tomasz')).toEqual({
      [title?.['id']]: {
        value: 'Engineer, `app`',
        rendered_value: '<p>Engineer, <code>app</code></p>',
      },
      [about?.['id']]: {
        value: 'Screens that stay smooth on old phones.',
        rendered_value: '<p>Screens that stay smooth on old phones.</p>',
      },
      [office?.['id']]: { value: 'lighthouse' },
      [birthday?.['id']]: { value: '1990-05-08' },
      [mentor?.['id']]: { value: JSON.stringify(ids.map(({ id }) => id)) },
      [code?.['id']]: { value: 'tnowak' },
      [pronouns?.['id']]: { value: 'he/him' },
    })
    expect(of('amara')[website?.['id']]).toEqual({ value: 'https://amara.example/' })
    expect(JSON.parse(office?.['field_data']).lighthouse).toEqual({ text: 'Lighthouse street', order: '2' })
    expect(JSON.parse(code?.['field_data'])).toMatchObject({
      subtype: 'custom',
      url_pattern: expect.stringContaining('%(username)s'),
    })
  })

  test('a user group contains another', () => {
    const made = rows('SELECT id, name FROM user_groups WHERE is_system_group = 0 ORDER BY id')
    expect(made.map(({ name }) => name)).toEqual(groups.map(({ name }) => name))
    const [backend, engineers] = made
    expect(
      rows(`SELECT subgroup_id FROM user_group_subgroups WHERE group_id = ${engineers?.['id']}`),
    ).toEqual([{ subgroup_id: backend?.['id'] }])
    expect(rows(`SELECT user_id FROM user_group_members WHERE group_id = ${backend?.['id']}`)).toHaveLength(2)
  })

  test('the check finds nothing wrong', async () => {
    expect(await admin(running, '/check')).toMatchObject({ healthy: true, problems: [] })
  })
})

test('each password lets its owner in where keys are not given away', async () => {
  const running = await startOwn({ dev: false })
  const people = everybody.filter((email) => email !== 'bot@demo.local')
  expect(Object.keys(running.demoPasswords ?? {})).toEqual(people)
  expect(new Set(Object.values(running.demoPasswords ?? {})).size).toBe(people.length)
  const base = `${running.url}/r/demo/api/v1`
  for (const [username, password] of Object.entries(running.demoPasswords ?? {})) {
    const reply = await call(base, 'POST', '/fetch_api_key', { username, password })
    expect(reply).toMatchObject({ result: 'success', email: username })
  }
  const refused = await call(base, 'POST', '/dev_fetch_api_key', { username: 'owner@demo.local' })
  expect(refused).toMatchObject({ result: 'error' })
})

test('where nothing may be open to the web, the lounge is a public channel', async () => {
  const running = await startOwn({ webPublicStreamsEnabled: false })
  const { streams } = await (await signIn(running, 'owner@demo.local')).get('/streams')
  const found = streams.find((stream: Body) => stream['name'] === 'lounge')
  expect(found).toMatchObject({ is_web_public: false, invite_only: false })
})

test('a second start makes nothing again', async () => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const first = await start(folder)
  const before = everything(first)
  await first.close()
  const second = await start(folder)
  expect(second.demoPasswords).toBeNull()
  expect(everything(second)).toEqual(before)
  await second.close()
})

test('two demos differ in nothing but time and secrets, on whatever day they are made', async () => {
  const midweek = await startOwn({}, { now: () => new Date(2026, 5, 10, 15, 30).getTime() })
  const sundayNight = await startOwn({}, { now: () => new Date(2026, 10, 15, 0, 4).getTime() })
  expect(timeless(sundayNight)).toEqual(timeless(midweek))
})

test('a demo that cannot be finished leaves nothing, and the next start makes it whole', async () => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const running = await start(folder)
  const whole = timeless(running)
  const [attachment] = running.server.database.all<Body>('SELECT path_id FROM attachments')
  await running.close()
  await rm(folder, { recursive: true })
  // A folder that is not empty takes the place of the uploaded file.
  const place = join(folder, 'uploads', attachment?.['path_id'])
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'in-the-way'), '')

  await expect(start(folder)).rejects.toThrow()
  const empty = await start(folder, { demo: false })
  expect(Object.values(everything(empty)).flat()).toEqual([])
  await empty.close()

  await rm(join(place, 'in-the-way'))
  await rmdir(place)
  const repaired = await start(folder)
  expect(timeless(repaired)).toEqual(whole)
  expect(existsSync(`${place}.new`)).toBe(false)
  await repaired.close()
})

const tables = [
  'realms',
  'users',
  'user_groups',
  'user_group_members',
  'user_group_subgroups',
  'channels',
  'subscriptions',
  'conversations',
  'spans',
  'messages',
  'read_cursors',
  'read_exceptions',
  'message_flags',
  'reactions',
  'attachments',
  'attachment_messages',
  'realm_emoji',
  'profile_fields',
  'profile_values',
]

const everything = ({ server }: RunningServer): Record<string, Body[]> =>
  Object.fromEntries(tables.map((table) => [table, server.database.all<Body>(`SELECT * FROM ${table}`)]))

const changing = ['date_created', 'date_joined', 'timestamp', 'create_time', 'api_key', 'password_hash']

/** All that is to be the same in every demo. */
const timeless = (running: RunningServer): Record<string, Body[]> =>
  Object.fromEntries(
    Object.entries(everything(running)).map(([table, all]) => [
      table,
      all.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !changing.includes(name)))),
    ]),
  )
