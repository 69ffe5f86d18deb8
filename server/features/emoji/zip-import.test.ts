import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { boot, type Body, type Person, type TestServer } from '../../test/boot.ts'
import { zipLimits } from './zip-import.ts'

const png = (background = 'red') =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer()

async function zipOf(files: [string, Uint8Array | string][]): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), name)
  zip.end()
  return buffer(zip.outputStream)
}

async function send(server: TestServer, bytes: Uint8Array, realm = 'test'): Promise<Body> {
  const form = new FormData()
  form.set('archive', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'emoji.zip')
  const response = await fetch(`${server.url}/admin/api/realms/${realm}/emoji-imports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${server.running.adminToken}` },
    body: form,
  })
  return (await response.json()) as Body
}

const names = async (person: Person) =>
  Object.values((await person.get('/realm/emoji'))['emoji'] as Record<string, { name: string }>).map(
    ({ name }) => name,
  )

const limits = { ...zipLimits }
afterEach(() => void Object.assign(zipLimits, limits))

test('an archive is shown first, then taken in as chosen, and everybody hears once', async () => {
  const server = await boot()
  const owner = await server.owner()
  for (const name of ['tea', 'cake']) {
    await owner.send('POST', `/realm/emoji/${name}`, { name: 'x.png', bytes: await png() })
  }
  const bytes = await zipOf([
    ['set/Green Cup.png', await png()],
    ['set/tea.png', await png('blue')],
    ['cake.png', await png('blue')],
    ['thumbs_up.png', await png()],
    ['unwanted.png', await png()],
    ['cake.gif', await png()],
    ['note.png', 'no picture'],
    ['bad!.png', await png()],
    ['__MACOSX/set/._tea.png', 'x'],
    ['set/.hidden', 'x'],
  ])
  const { import_id, emoji } = await send(server, bytes)
  const reason = expect.any(String)
  expect(emoji).toMatchObject([
    { file: 'set/Green Cup.png', name: 'green_cup', state: 'new', reason: null },
    { name: 'tea', state: 'conflict' },
    { name: 'cake', state: 'conflict' },
    { name: 'thumbs_up', state: 'new' },
    { name: 'unwanted', state: 'new' },
    { file: 'cake.gif', name: 'cake', state: 'invalid', reason },
    { name: 'note', state: 'invalid', reason },
    { file: 'bad!.png', name: null, state: 'invalid', reason },
  ])
  expect(await names(owner)).toEqual(['tea', 'cake'])
  const before = (await owner.get('/realm/emoji'))['emoji']
  const bob = await server.listenAs('bob')
  const eve = await server.listenAs('eve', 'member', {}, 'other')
  const path = `/realms/test/emoji-imports/${import_id}`
  expect(await server.admin('POST', `/realms/other/emoji-imports/${import_id}`)).toMatchObject({
    result: 'error',
  })
  const choices = { tea: 'replace', unwanted: 'skip' }
  expect(await server.admin('POST', path, { choices })).toMatchObject({
    added: ['green_cup', 'thumbs_up'],
    replaced: ['tea'],
    skipped: ['cake', 'unwanted'],
    failed: [{ name: 'note', reason }],
  })
  expect(await bob.events()).toMatchObject([{ type: 'realm_emoji', op: 'update' }])
  expect(await eve.events()).toEqual([])
  const after = (await owner.get('/realm/emoji'))['emoji']
  expect(await names(owner)).toEqual(['tea', 'cake', 'green_cup', 'thumbs_up'])
  expect([after['2'], after['1']]).toEqual([before['2'], expect.objectContaining({ name: 'tea' })])
  expect(after['1'].source_url).not.toBe(before['1'].source_url)
  expect((await fetch(new URL(after['3'].source_url, server.url))).status).toBe(200)
  // It is gone.
  expect(await server.admin('POST', path)).toMatchObject({ result: 'error' })
  expect(await readdir(join(server.running.server.folder.uploads, 'incoming'))).toEqual([])
})

test('what is no archive, is damaged or holds too much is refused; nothing is left behind', async () => {
  const server = await boot({ maxEmojiFileSizeMib: 1 })
  await server.owner()
  const whole = await zipOf([
    ['a.png', await png()],
    ['b.png', await png()],
    ['c.png', await png()],
  ])
  const bomb = await zipOf([['bomb.png', Buffer.alloc(3 << 20)]])
  expect(bomb.length).toBeLessThan(10_000)
  expect((await send(server, bomb))['emoji']).toMatchObject([{ name: 'bomb', state: 'invalid' }])
  for (const bytes of [Buffer.from('no archive'), whole.subarray(0, whole.length - 30)]) {
    expect(await send(server, bytes)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  }
  zipLimits.entries = 2
  expect(await send(server, whole)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  Object.assign(zipLimits, limits, { totalBytes: 100 })
  expect(await send(server, whole)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
  Object.assign(zipLimits, limits)
  const { import_id } = await send(server, whole)
  expect(await server.admin('DELETE', `/realms/test/emoji-imports/${import_id}`)).toMatchObject({
    result: 'success',
  })
  expect(await server.admin('DELETE', `/realms/test/emoji-imports/${import_id}`)).toMatchObject({
    result: 'error',
  })
  const left = await readdir(join(server.running.server.folder.uploads, 'incoming'))
  expect(left).toHaveLength(1) // the one that was shown and waits
})
