import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boot, type Body, type Person, type TestServer } from '../../test/boot.ts'

const png = (background = 'red') =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer()

const add = async (person: Person, name: string, bytes?: Uint8Array) =>
  person.send('POST', `/realm/emoji/${encodeURIComponent(name)}`, {
    name: 'x.png',
    bytes: bytes ?? (await png()),
  })

const told = async (person: Person) => (await person.events()).filter(({ type }) => type === 'realm_emoji')
const pictureOf = (server: TestServer, url: string) => fetch(`${server.url}${url}`)

test('a member adds one; everybody hears of all of them, and sees its picture', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const guest = await server.as('gus', 'guest')
  const stranger = await server.as('eve', 'owner', 'other')
  for (const person of [ann, guest, stranger]) await person.listen()
  expect(await add(ann, 'Green Tea')).toMatchObject({ status: 200, body: { result: 'success' } })
  const emoji = {
    id: '1',
    name: 'green_tea',
    author_id: ann.id,
    deactivated: false,
    still_url: null,
    source_url: expect.stringMatching(/^\/user_avatars\/\d+\/emoji\/images\/[0-9a-f]{24}\.png$/),
  }
  const event = { id: expect.any(Number), type: 'realm_emoji', op: 'update', realm_emoji: { 1: emoji } }
  expect(await told(ann)).toEqual([event])
  expect(await told(guest)).toEqual([event])
  expect(await told(stranger)).toEqual([])
  const { emoji: all } = await guest.get('/realm/emoji')
  expect(all).toEqual({ 1: emoji })
  const { realm_emoji } = await ann.post('/register', { fetch_event_types: ['realm_emoji'] })
  expect(realm_emoji).toEqual(all)
  const reply = await pictureOf(server, all[1].source_url)
  expect(reply.headers.get('Content-Type')).toBe('image/png')
  expect(reply.headers.get('Cache-Control')).toContain('public')
  expect(await sharp(await reply.arrayBuffer()).metadata()).toMatchObject({ width: 64, height: 64 })
})

test('an animated one has a picture at rest', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const frames = [await png('red'), await png('blue')]
  await add(
    ann,
    'blink',
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
  const { emoji } = await ann.get('/realm/emoji')
  const still = await (await pictureOf(server, emoji[1].still_url)).arrayBuffer()
  expect((await sharp(still).metadata()).pages ?? 1).toBe(1)
  const moving = await (await pictureOf(server, emoji[1].source_url)).arrayBuffer()
  expect((await sharp(moving).metadata()).pages).toBe(2)
})

test.each(['boat!', 'a/b', '💥', '-', 'tea_', ' '])('%j is no name', async (name) => {
  const server = await boot()
  const ann = await server.as('ann')
  const { status, body } = await add(ann, name)
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect((await ann.get('/realm/emoji'))['emoji']).toEqual({})
})

test('names are taken in any writing; a built-in one is for administrators', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const admin = await server.as('adam', 'administrator')
  expect((await add(ann, 'grün-1')).status).toBe(200)
  expect((await add(ann, 'GRÜN-1')).body).toMatchObject({ code: 'BAD_REQUEST' })
  expect((await add(ann, 'smile')).body).toMatchObject({ msg: expect.stringContaining('administrators') })
  expect((await add(admin, 'smile')).status).toBe(200)
})

test('what is no picture, too large or missing is refused and leaves nothing', async () => {
  const server = await boot({ maxEmojiFileSizeMib: 1 })
  const ann = await server.listenAs('ann')
  expect((await add(ann, 'tidewater', Buffer.from('no picture'))).body['msg']).toContain('Could not decode')
  const large = Buffer.concat([await png(), Buffer.alloc(1024 * 1024)])
  expect((await add(ann, 'tidewater', large)).body['msg']).toContain('1 MiB')
  await ann.refused('POST', '/realm/emoji/tidewater', {}, 'BAD_REQUEST')
  expect(await told(ann)).toEqual([])
  const uploads = server.running.server.folder.uploads
  await mkdir(join(uploads, '1', 'emoji'), { recursive: true })
  expect(await readdir(join(uploads, '1', 'emoji'))).toEqual([])
  expect(await readdir(join(uploads, 'incoming'))).toEqual([])
})

test('guests and those outside the permission may not', async () => {
  const server = await boot()
  const guest = await server.as('gus', 'guest')
  expect((await add(guest, 'tidewater')).body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  })
})

test('its author or an administrator takes it away; its name is free, its picture stays', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const admin = await server.as('adam', 'administrator')
  await add(ann, 'tidewater')
  await add(ann, 'otterly')
  await bob.listen()
  await bob.refused('DELETE', '/realm/emoji/tidewater', {}, 'BAD_REQUEST')
  await ann.delete('/realm/emoji/tidewater')
  await admin.delete('/realm/emoji/Otterly')
  const [first, second, ...more] = await told(bob)
  expect(more).toEqual([])
  expect((first as Body | undefined)?.['realm_emoji']).toMatchObject({
    1: { deactivated: true },
    2: { deactivated: false },
  })
  expect((second as Body | undefined)?.['realm_emoji']).toMatchObject({ 2: { deactivated: true } })
  await ann.refused('DELETE', '/realm/emoji/tidewater', {}, 'BAD_REQUEST', 404)
  const { emoji } = await bob.get('/realm/emoji')
  expect((await pictureOf(server, emoji[1].source_url)).status).toBe(200)
  expect((await add(bob, 'tidewater')).status).toBe(200)
})

test('pictures are found by their names alone', async () => {
  const server = await boot()
  await server.owner()
  for (const name of ['..%2f..%2f..%2fparley.db', 'none.png', '.hidden.png', '%00.png', 'parley.db']) {
    expect((await pictureOf(server, `/user_avatars/1/emoji/images/${name}`)).status).toBe(404)
  }
})

test('the emoji of the demo are there, with their pictures', async () => {
  const server = await boot({ demo: true })
  const { emoji } = await new DemoReader(server).emoji()
  const urls = Object.values(emoji as Record<string, { source_url: string }>).map((one) => one.source_url)
  expect(urls).toHaveLength(2)
  for (const url of urls) expect((await pictureOf(server, url)).status).toBe(200)
})

class DemoReader {
  constructor(readonly server: TestServer) {}

  async emoji(): Promise<Body> {
    const { database, url } = this.server.running.server
    const user = database.first<{ delivery_email: string; api_key: string }>(
      'SELECT delivery_email, api_key FROM users WHERE is_bot = 0 ORDER BY id',
    )
    const credentials = Buffer.from(`${user?.delivery_email}:${user?.api_key}`).toString('base64')
    const reply = await fetch(`${url()}/api/v1/realm/emoji`, {
      headers: { Authorization: `Basic ${credentials}` },
    })
    return (await reply.json()) as Body
  }
}
