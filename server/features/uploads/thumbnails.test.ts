import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { boot, type Person, type TestServer } from '../../test/boot.ts'

async function upload(person: Person, name: string, bytes: Uint8Array | string): Promise<string> {
  const { body } = await person.send('POST', '/user_uploads', { name, bytes })
  return body['url'] as string
}

const small = (server: TestServer, url: string, format: string, person?: Person) =>
  fetch(`${server.url}${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`, {
    headers: person ? { Authorization: person.authorization } : {},
  })

test('a picture has small forms, for those who may have the picture', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const { server_thumbnail_formats: formats } = await ann.post('/register', { fetch_event_types: ['realm'] })
  const picture = sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'red' } })
  const url = await upload(ann, 'wide.png', await picture.png().toBuffer())
  for (const { name, max_width, max_height } of formats) {
    const replies = await Promise.all([small(server, url, name, ann), small(server, url, name, ann)])
    for (const reply of replies) {
      expect(reply.headers.get('Content-Type')).toBe('image/webp')
      const { width, height } = await sharp(await reply.arrayBuffer()).metadata()
      expect(Math.max(width / max_width, height / max_height)).toBeCloseTo(1, 1)
    }
    expect((await small(server, url, name, bob)).status).toBe(403)
    expect((await small(server, url, name)).status).toBe(401)
  }
  expect((await small(server, url, '1x1.webp', ann)).status).toBe(404)

  await ann.delete('/attachments/1')
  expect((await small(server, url, formats[0].name, ann)).status).toBe(404)
  const { backups, now, folder } = server.running.server
  server.running.server.now = () => now() + 25 * 3_600_000
  expect(await backups.sweep()).toHaveLength(formats.length + 1)
  expect(await readdir(join(folder.uploads, 'thumbnail', String(server.realm('test').id)))).toHaveLength(1)
})

test('messages show the small form, which whoever reads them may have', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join(['plans'], { principals: [ann.id, bob.id] })
  const picture = sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'red' } })
  const still = await upload(ann, 'a.png', await picture.png().toBuffer())
  const moving = await upload(ann, 'b.gif', await picture.gif().toBuffer())
  const text = await upload(ann, 'c.png', 'only called a picture')
  const id = await ann.say('plans', 'house', [still, moving, text].map((url) => `[x](${url})`).join(' '))
  const { message } = await bob.get(`/messages/${id}`)
  const sources = [...message.content.matchAll(/src="([^"]+)"/g)].map(([, source]) => source)
  const smallOf = (url: string, name: string) =>
    `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`
  expect(sources).toEqual([smallOf(still, '840x560.webp'), smallOf(moving, '840x560-anim.webp'), text])
  const reply = await fetch(server.url + sources[0], { headers: { Authorization: bob.authorization } })
  expect([reply.status, reply.headers.get('Content-Type')]).toEqual([200, 'image/webp'])
})

test('what is no picture has none, whatever it is called', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const text = await upload(ann, 'picture.png', 'no picture')
  expect((await small(server, text, '300x200.webp', ann)).status).toBe(404)
  const broken = await upload(ann, 'broken.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
  expect((await small(server, broken, '300x200.webp', ann)).status).toBeGreaterThanOrEqual(400)
  expect((await small(server, broken, '300x200.webp', ann)).status).toBeLessThan(500)
})
