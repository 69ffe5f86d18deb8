/** A machine on which the library that decodes pictures does not run. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { boot } from '../test/boot.ts'
import { canUsePictures } from './images.ts'

vi.mock('sharp', () => {
  throw new Error('Could not load the "sharp" module')
})

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('everything but pictures works; pictures are refused with the reason', async () => {
  const server = await boot()
  const owner = await server.owner()
  expect(await canUsePictures()).toBe(false)
  await owner.join('general')
  await owner.listen()
  const picture = { name: 'dot.png', bytes: dot, type: 'image/png' }
  for (const path of ['/users/me/avatar', '/realm/icon', '/realm/logo', '/realm/emoji/dot']) {
    const { status, body } = await owner.send('POST', path, picture)
    expect([status, body['code']], path).toEqual([400, 'BAD_REQUEST'])
    expect(body['msg']).toContain('sharp')
  }
  expect(await owner.events()).toEqual([])
  const { status, body } = await owner.send('POST', '/user_uploads', picture)
  expect(status).toBe(200)
  const id = await owner.say('general', 'pictures', `[dot.png](${body['url']})`)
  expect((await owner.get(`/messages/${id}`))['message']['content']).toContain('dot.png')
  const file = await fetch(`${owner.base}${body['url']}`, { headers: { Authorization: owner.authorization } })
  expect(Buffer.from(await file.arrayBuffer()).equals(dot)).toBe(true)
  const { emojiFolder } = server.running.server
  await mkdir(emojiFolder.path, { recursive: true })
  await writeFile(join(emojiFolder.path, 'dot.png'), dot)
  await vi.waitFor(
    () =>
      expect(emojiFolder.files).toMatchObject([
        { status: 'refused', reason: expect.stringContaining('sharp') },
      ]),
    { timeout: 20_000, interval: 50 },
  )
  expect((await owner.get('/users/me'))['avatar_version']).toBe(1)
})
