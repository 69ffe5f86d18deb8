import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const png = (background = 'red', width = 300) =>
  sharp({ create: { width, height: 200, channels: 3, background } })
    .png()
    .toBuffer()

const send = async (person: Person, bytes?: Uint8Array | string) =>
  person.send('POST', '/users/me/avatar', { name: 'me.png', bytes: bytes ?? (await png()), field: 'file' })

async function pictureAt(url: string) {
  const reply = await fetch(url)
  expect(reply.status).toBe(200)
  return {
    type: reply.headers.get('Content-Type'),
    cache: reply.headers.get('Cache-Control'),
    bytes: await reply.arrayBuffer(),
  }
}

test('an uploaded picture is cut square, and everybody hears of it', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.listenAs('bob')
  const stranger = await server.listenAs('eve', 'owner', {}, 'other')
  expect((await pictureAt((await ann.get('/users/me'))['avatar_url'])).type).toContain('svg')
  const { status, body } = await send(ann)
  expect(status).toBe(200)
  const person = {
    user_id: ann.id,
    avatar_source: 'U',
    avatar_version: 2,
    avatar_url: body['avatar_url'],
    avatar_url_medium: expect.stringContaining('/medium'),
  }
  const [event, ...more] = await bob.events()
  expect(more).toEqual([])
  expect(event).toEqual({ id: expect.any(Number), type: 'realm_user', op: 'update', person })
  expect(await stranger.events()).toEqual([])
  const { type, bytes, cache } = await pictureAt(body['avatar_url'])
  expect([type, cache?.includes('public')]).toEqual(['image/png', true])
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 100, height: 100 })
  const medium = await pictureAt(event?.['person'].avatar_url_medium)
  expect(await sharp(medium.bytes).metadata()).toMatchObject({ width: 500, height: 500 })
  expect(await ann.get('/users/me')).toMatchObject({ avatar_url: body['avatar_url'], avatar_version: 2 })
})

test('taking it away brings the drawn one back; snapshots follow', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await expectConverges(bob, () => send(ann))
  await expectConverges(bob, () => ann.delete('/users/me/avatar'))
  const me = await ann.get('/users/me')
  expect(me['avatar_version']).toBe(3)
  expect((await pictureAt(me['avatar_url'])).type).toContain('svg')
})

test('where pictures are the business of administrators, others are refused', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const admin = await server.as('adam', 'administrator')
  await send(ann)
  server.running.server.database.transact(() =>
    server.running.server.database.run(`UPDATE realms SET settings = '{"avatar_changes_disabled":true}'`),
  )
  expect(await send(ann)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  await ann.refused('DELETE', '/users/me/avatar', {}, 'BAD_REQUEST')
  expect(await ann.get('/users/me')).toMatchObject({ avatar_version: 2 })
  expect((await send(admin)).status).toBe(200)
})

test('what is no picture or too large changes nothing', async () => {
  const server = await boot({ maxAvatarFileSizeMib: 1 })
  const ann = await server.as('ann')
  const bob = await server.listenAs('bob')
  expect((await send(ann, 'no picture')).body).toMatchObject({ code: 'BAD_REQUEST' })
  expect((await send(ann, new Uint8Array(1024 * 1024 + 1))).body).toMatchObject({ code: 'BAD_REQUEST' })
  await ann.refused('POST', '/users/me/avatar', {}, 'BAD_REQUEST')
  expect(await bob.events()).toEqual([])
  expect(await ann.get('/users/me')).toMatchObject({ avatar_version: 1 })
})

test('it outlives a restart; an old one goes with the sweep', async () => {
  const server = await boot()
  const { folder } = server.running.server
  const ann = await server.as('ann')
  await send(ann, await png('red'))
  await send(ann, await png('blue'))
  const avatars = join(folder.uploads, String(server.realm('test').id), 'avatars')
  expect(await readdir(avatars)).toHaveLength(4)
  const { backups, now } = server.running.server
  server.running.server.now = () => now() + 25 * 3_600_000
  expect(await backups.sweep()).toHaveLength(2)
  server.running.server.now = now
  const { bytes } = await pictureAt((await ann.get('/users/me'))['avatar_url'])
  expect((await sharp(bytes).stats()).dominant.b).toBeGreaterThan(200)
  expect(await server.admin('GET', '/check')).toMatchObject({ healthy: true })
})
