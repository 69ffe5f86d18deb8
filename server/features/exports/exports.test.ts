import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { expect, onTestFinished, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { boot, type Params, type Person, type TestServer } from '../../test/boot.ts'
import { claimUploads } from '../uploads/actions.ts'

const listening = { event_types: ['realm_export', 'realm_export_consent'] }

/** The entries of an archive, by name. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    entries.set(entry.fileName, Buffer.concat(chunks))
  }
  return entries
}

/** Waits until nothing is being made. */
async function settled(owner: Person): Promise<Params[]> {
  for (;;) {
    const { exports } = await owner.get('/export/realm')
    if (!exports.some((one: Params) => one['pending'])) return exports
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function exported(owner: Person, export_type: 1 | 2) {
  const { id } = await owner.post('/export/realm', { export_type })
  const made = (await settled(owner)).find((one) => one['id'] === id)
  const reply = await fetch(String(made?.['export_url']))
  expect(reply.status).toBe(200)
  const entries = await unzip(Buffer.from(await reply.arrayBuffer()))
  const read = (name: string) => JSON.parse(String(entries.get(name))) as any
  const messages = [...entries.keys()].filter((name) => name.startsWith('messages/')).flatMap(read)
  return { entries, read, messages: messages as Params[], contents: messages.map(({ content }) => content) }
}

/** Ann and Bob write where others can and cannot read. */
async function furnish(server: TestServer) {
  const owner = await server.owner()
  const [ann, bob] = [await server.as('ann'), await server.as('bob')]
  for (const person of [ann, bob]) await person.join('general')
  await ann.join('secret', { invite_only: true })
  await ann.say('general', 'lunch', 'public words')
  await ann.say('secret', 'plans', 'secret words')
  await ann.tell([bob], 'between us')
  await bob.tell([bob], 'a note to self')
  return { owner, ann, bob }
}

test('a public export holds what is public, and no secrets', async () => {
  const server = await boot()
  const { owner, ann } = await furnish(server)
  await ann.patch('/settings', { allow_private_data_export: true })
  const { entries, read, messages, contents } = await exported(owner, 1)
  expect(contents).toContain('public words')
  for (const hidden of ['secret words', 'between us', 'a note to self'])
    expect(contents).not.toContain(hidden)
  expect(messages.find(({ content }) => content === 'public words')).toMatchObject({
    type: 'stream',
    topic: 'lunch',
    sender_id: ann.id,
    rendered_content: '<p>public words</p>',
    reactions: [],
  })
  expect(read('export.json')).toMatchObject({ format: 1, export_type: 'public', messages: messages.length })
  expect(read('realm.json')).toMatchObject({ string_id: 'test', name: 'test' })
  expect(read('users.json')).toContainEqual(expect.objectContaining({ user_id: ann.id, full_name: 'Ann' }))
  expect(read('channels.json').map(({ name }: Params) => name)).toEqual(['general'])
  const everything = [...entries.values()].join('\n')
  for (const secret of [owner.apiKey, ann.apiKey, 'api_key', 'password'])
    expect(everything).not.toContain(secret)
})

test('a standard export also holds what those who consented can read', async () => {
  const server = await boot()
  const { owner, ann } = await furnish(server)
  expect((await exported(owner, 2)).contents).not.toContain('between us')
  await ann.patch('/settings', { allow_private_data_export: true })
  const { read, contents, messages } = await exported(owner, 2)
  expect(contents).toEqual(expect.arrayContaining(['public words', 'secret words', 'between us']))
  expect(contents).not.toContain('a note to self')
  expect(messages.find(({ content }) => content === 'between us')).toMatchObject({ type: 'private' })
  expect(read('export.json')).toMatchObject({ export_type: 'standard', consented_user_ids: [ann.id] })
})

test('an upload goes with the messages that link to it, and only with those', async () => {
  const server = await boot()
  const { owner, ann, bob } = await furnish(server)
  const upload = async (name: string) => {
    const body = new FormData()
    body.set('file', new Blob([`contents of ${name}`]), name)
    const headers = { Authorization: ann.authorization }
    const reply = await fetch(`${ann.base}/api/v1/user_uploads`, { method: 'POST', headers, body })
    return ((await reply.json()) as { url: string }).url
  }
  const ctx = new RealmContext(server.running.server, server.realm('test'))
  const link = (id: number, url: string) =>
    ctx.transact((tx) =>
      claimUploads(ctx, tx, { id, sender_id: ann.id }, [url.replace('/user_uploads/', '')]),
    )
  link(await ann.say('general', 'files', 'open'), await upload('open.txt'))
  link(await ann.tell([bob], 'closed'), await upload('closed.txt'))
  const { entries, read } = await exported(owner, 1)
  const files = [...entries.keys()].filter((name) => name.startsWith('uploads/'))
  expect(files).toHaveLength(1)
  expect(String(entries.get(files[0] ?? ''))).toBe('contents of open.txt')
  expect(read('attachments.json')).toMatchObject([{ name: 'open.txt' }])
})

test('more messages than one file holds', async () => {
  const server = await boot()
  const { owner } = await furnish(server)
  const { database } = server.running.server
  const copy = `INSERT INTO messages (realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content,
    client, timestamp) SELECT realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content,
    client, timestamp FROM messages WHERE content = 'public words'`
  database.transact(() => {
    for (let i = 0; i < 11; i += 1) database.run(copy, [])
  })
  const { entries, read, messages } = await exported(owner, 1)
  expect(messages.length).toBeGreaterThanOrEqual(2048)
  expect(read('messages/000001.json')).toHaveLength(1000)
  expect(entries.has('messages/000003.json')).toBe(true)
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
})

test('administrators hear of exports, and nobody else does', async () => {
  const server = await boot()
  const owner = await server.owner()
  const administrator = await server.listenAs('adam', 'administrator', listening)
  const ann = await server.listenAs('ann', 'member', listening)
  const stranger = await server.listenAs('eve', 'owner', listening, 'other')
  const { id } = await owner.post('/export/realm')
  await settled(owner)
  await owner.delete(`/export/realm/${id}`)
  const told = (await administrator.events()).map((event) => event['exports'][0])
  expect(told).toMatchObject([
    { id, pending: true, export_url: null, acting_user_id: owner.id, export_type: 1 },
    { id, pending: false, export_url: expect.stringContaining('/exports/') },
    { id, pending: false, export_url: null, deleted_timestamp: expect.any(Number) },
  ])
  expect(await ann.events()).toEqual([])
  expect(await stranger.events()).toEqual([])
})

test('only administrators may, and the file is theirs who know its address', async () => {
  const server = await boot()
  const owner = await server.owner()
  for (const role of ['moderator', 'member', 'guest'] as const) {
    const person = await server.as(role, role)
    await person.refused('POST', '/export/realm', {}, 'BAD_REQUEST')
    await person.refused('GET', '/export/realm', {}, 'BAD_REQUEST')
    await person.refused('GET', '/export/realm/consents', {}, 'BAD_REQUEST')
    await person.refused('DELETE', '/export/realm/1', {}, 'BAD_REQUEST')
  }
  await owner.refused('POST', '/export/realm', { export_type: 3 }, 'BAD_REQUEST')
  await owner.refused('DELETE', '/export/realm/99', {}, 'BAD_REQUEST')
  const { id } = await owner.post('/export/realm')
  const [made] = await settled(owner)
  const url = String(made?.['export_url'])
  expect((await fetch(`${url.slice(0, -4)}AAAA`)).status).toBe(404)
  await server.owner('other')
  expect((await fetch(url.replace('/r/test/', '/r/other/'))).status).toBe(404)
  await owner.delete(`/export/realm/${id}`)
  expect((await fetch(url)).status).toBe(404)
  await owner.refused('DELETE', `/export/realm/${id}`, {}, 'BAD_REQUEST')
})

test('one at a time, and so many in a week', async () => {
  let now = Date.parse('2026-03-02T10:00:00Z')
  const server = await boot({}, { now: () => now })
  const owner = await server.owner()
  server.running.server.config.dev = false
  const [first, second] = await Promise.all([
    owner.request('POST', '/export/realm'),
    owner.request('POST', '/export/realm'),
  ])
  expect([first.body['result'], second.body['result']].sort()).toEqual(['error', 'success'])
  await settled(owner)
  for (let i = 1; i < 5; i += 1) {
    await owner.post('/export/realm')
    await settled(owner)
  }
  await owner.refused('POST', '/export/realm', {}, 'RATE_LIMIT_HIT', 429)
  now += 8 * 86_400_000
  await owner.post('/export/realm')
  await settled(owner)
})

test('consents are listed, and administrators hear of each', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const administrator = await server.listenAs('adam', 'administrator', listening)
  const bob = await server.listenAs('bob', 'member', listening)
  const consentOf = async (person: Person) => {
    const { export_consents } = await owner.get('/export/realm/consents')
    return export_consents.find((one: Params) => one['user_id'] === person.id).consented
  }
  expect(await consentOf(ann)).toBe(false)
  await ann.patch('/settings', { allow_private_data_export: true })
  expect(await consentOf(ann)).toBe(true)
  expect(await administrator.events()).toMatchObject([
    { type: 'realm_export_consent', user_id: ann.id, consented: true },
  ])
  await ann.patch('/settings', { allow_private_data_export: false })
  expect(await consentOf(ann)).toBe(false)
  expect(await bob.events()).toEqual([])
})

test('exports are there after a restart; one that was cut short has failed and leaves nothing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-export-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const server = await boot({ dataDir })
  const owner = await server.owner()
  const { id } = await owner.post('/export/realm')
  const [made] = await settled(owner)
  const path = new URL(String(made?.['export_url'])).pathname
  const { database } = server.running.server
  database.transact(() =>
    database.run(
      `INSERT INTO realm_exports (realm_id, acting_user_id, export_type, token, started_at)
       SELECT realm_id, acting_user_id, 1, 'cut', started_at FROM realm_exports`,
      [],
    ),
  )
  await server.close()
  const folder = join(dataDir, 'exports')
  const realmId = server.realm('test').id
  await writeFile(join(folder, `export-${realmId}-${id + 1}.zip.partial`), 'half')
  const again = await boot({ dataDir })
  expect((await fetch(`${again.url}${path}`)).status).toBe(200)
  expect(await readdir(folder)).toEqual([`export-${realmId}-${id}.zip`])
  const rows = again.running.server.database.all<Params>('SELECT * FROM realm_exports ORDER BY id')
  expect(rows).toMatchObject([{ failed_at: null }, { failed_at: expect.any(Number) }])
  expect(existsSync(join(folder, `export-${realmId}-${id + 1}.zip`))).toBe(false)
})

test('an export that cannot be written has failed, and the next one can be made', async () => {
  const server = await boot()
  const owner = await server.owner()
  // A file where the folder should be.
  const folder = join(server.running.server.folder.path, 'exports')
  await writeFile(folder, '')
  await owner.post('/export/realm')
  expect(await settled(owner)).toMatchObject([
    { pending: false, export_url: null, failed_timestamp: expect.any(Number) },
  ])
  await rm(folder)
  await owner.post('/export/realm')
  expect((await settled(owner)).at(-1)).toMatchObject({ failed_timestamp: null, pending: false })
})
