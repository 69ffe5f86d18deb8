import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const png = (width = 1600, height = 300) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

const send = async (person: Person, path: string, params = {}, bytes?: Uint8Array | string) =>
  person.send('POST', path, { name: 'us.png', bytes: bytes ?? (await png()), field: 'file' }, params)

const sizeAt = async (url: string) => {
  const { width, height } = await sharp(await (await fetch(url)).arrayBuffer()).metadata()
  return [width, height]
}

test('an icon is cut square, and everybody in the organization hears', async () => {
  const server = await boot()
  const owner = await server.owner()
  const guest = await server.as('gus', 'guest')
  const bob = await server.listenAs('bob')
  await guest.listen()
  const eve = await server.listenAs('eve', 'owner', {}, 'other')
  expect((await send(owner, '/realm/icon')).status).toBe(200)
  for (const person of [bob, guest]) {
    expect(await person.events()).toEqual([
      {
        id: expect.any(Number),
        type: 'realm',
        op: 'update_dict',
        property: 'icon',
        data: { icon_source: 'U', icon_url: expect.stringContaining(owner.base) },
      },
    ])
  }
  expect(await eve.events()).toEqual([])
  const { realm_icon_url, realm_icon_source } = await bob.post('/register', { fetch_event_types: ['realm'] })
  expect([realm_icon_source, await sizeAt(realm_icon_url)]).toEqual(['U', [500, 500]])
  expect((await bob.get('/server_settings'))['realm_icon']).toBe(realm_icon_url)
})

test('logos by day and by night fit in a bar, and are apart from each other', async () => {
  const server = await boot()
  const admin = await server.as('adam', 'administrator')
  const bob = await server.as('bob')
  await expectConverges(bob, () => send(admin, '/realm/logo'))
  await expectConverges(bob, () => send(admin, '/realm/logo', { night: true }))
  await expectConverges(bob, () => admin.delete('/realm/logo'))
  await expectConverges(bob, () => send(admin, '/realm/icon'))
  await expectConverges(bob, () => admin.delete('/realm/icon'))
  const realm = await bob.post('/register', { fetch_event_types: ['realm'] })
  expect(realm).toMatchObject({
    realm_logo_source: 'D',
    realm_night_logo_source: 'U',
    realm_icon_source: 'G',
  })
  expect(await sizeAt(realm['realm_night_logo_url'])).toEqual([800, 150])
  for (const drawn of [realm['realm_logo_url'], realm['realm_icon_url']]) {
    expect((await fetch(drawn)).headers.get('Content-Type')).toContain('svg')
  }
})

test('only administrators change them; what is no picture or too large changes nothing', async () => {
  const server = await boot({ maxIconFileSizeMib: 1, maxLogoFileSizeMib: 1 })
  const owner = await server.owner()
  const moderator = await server.as('mo', 'moderator')
  const bob = await server.listenAs('bob')
  for (const path of ['/realm/icon', '/realm/logo']) {
    expect((await send(moderator, path)).body).toMatchObject({ code: 'BAD_REQUEST' })
    await moderator.refused('DELETE', path, {}, 'BAD_REQUEST')
    expect((await send(owner, path, {}, 'no picture')).body).toMatchObject({ code: 'BAD_REQUEST' })
    const large = new Uint8Array(1024 * 1024 + 1)
    expect((await send(owner, path, {}, large)).body).toMatchObject({ code: 'BAD_REQUEST' })
    await owner.refused('POST', path, {}, 'BAD_REQUEST')
  }
  expect(await bob.events()).toEqual([])
})

test('it outlives a backup check; an old one goes with the sweep', async () => {
  const server = await boot()
  const { folder, backups, now } = server.running.server
  const owner = await server.owner()
  await send(owner, '/realm/icon')
  await send(owner, '/realm/icon', {}, await png(40, 40))
  const own = join(folder.uploads, String(server.realm('test').id), 'realm')
  expect(await readdir(own)).toHaveLength(2)
  server.running.server.now = () => now() + 25 * 3_600_000
  expect(await backups.sweep()).toHaveLength(1)
  server.running.server.now = now
  const { realm_icon_url } = await owner.post('/register', { fetch_event_types: ['realm'] })
  expect((await fetch(realm_icon_url)).headers.get('Content-Type')).toBe('image/png')
  expect(await server.admin('GET', '/check')).toMatchObject({ healthy: true })
})
