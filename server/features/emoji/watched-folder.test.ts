import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { boot, Person, type TestServer } from '../../test/boot.ts'

const png = (background = 'red') =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer()

const folderOf = (server: TestServer) => server.running.server.folder.emoji

async function put(server: TestServer, name: string, bytes: Uint8Array | string) {
  await mkdir(join(folderOf(server), name, '..'), { recursive: true })
  await writeFile(join(folderOf(server), name), bytes)
}

const emojiOf = async (person: Person) =>
  Object.values(
    (await person.get('/realm/emoji'))['emoji'] as Record<string, { name: string; deactivated: boolean }>,
  )
const activeNames = async (person: Person) =>
  (await emojiOf(person)).filter((one) => !one.deactivated).map(({ name }) => name)
const statusOf = async (server: TestServer, file: string) =>
  (
    (await server.admin('GET', '/emoji-folder'))['files'] as {
      file: string
      status: string
      reason: string
    }[]
  ).find((one) => one.file === file)
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

test('a picture that is put there becomes an emoji, and goes with it', async () => {
  const server = await boot()
  const owner = await server.owner()
  const other = await server.owner('other')
  await owner.listen()
  await put(server, 'Green Tea.png', await png())
  await put(server, 'other/coffee-cup.png', await png())
  await eventually(async () => expect(await activeNames(owner)).toEqual(['green_tea']))
  await eventually(async () => expect(await activeNames(other)).toEqual(['coffee-cup']))
  const events = await owner.events()
  expect(events).toMatchObject([
    { type: 'realm_emoji', realm_emoji: { 1: { name: 'green_tea', author_id: null } } },
  ])
  await eventually(async () =>
    expect(await statusOf(server, 'Green Tea.png')).toMatchObject({ status: 'used' }),
  )
  await rm(join(folderOf(server), 'Green Tea.png'))
  await eventually(async () => expect(await activeNames(owner)).toEqual([]))
  expect(await activeNames(other)).toEqual(['coffee-cup'])
})

test('another picture of the same name takes its place, under the same id', async () => {
  const server = await boot()
  const owner = await server.owner()
  await put(server, 'tea.png', await png('red'))
  await eventually(async () => expect(await emojiOf(owner)).toHaveLength(1))
  const [before] = await emojiOf(owner)
  await put(server, 'tea.png', await png('blue'))
  await eventually(async () => expect(await emojiOf(owner)).not.toEqual([before]))
  expect(await emojiOf(owner)).toHaveLength(1)
})

test('what cannot be used is told, until it can', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.send('POST', '/realm/emoji/taken', { name: 'x.png', bytes: await png() })
  const whole = await png()
  await put(server, 'half.png', whole.subarray(0, 40))
  await put(server, 'bad!name.png', whole)
  await put(server, 'taken.png', whole)
  await put(server, 'nowhere/tea.png', whole)
  await put(server, '.hidden.png', whole)
  await eventually(async () => {
    for (const file of ['half.png', 'bad!name.png', 'taken.png', 'nowhere/tea.png']) {
      expect(await statusOf(server, file)).toMatchObject({ status: 'refused', reason: expect.any(String) })
    }
  })
  expect(await statusOf(server, '.hidden.png')).toBeUndefined()
  await appendFile(join(folderOf(server), 'half.png'), whole.subarray(40))
  await owner.delete('/realm/emoji/taken')
  await eventually(async () => expect((await activeNames(owner)).toSorted()).toEqual(['half', 'taken']))
})

test('what happened while the server was away is made up for; what was taken away stays away', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-emoji-'))
  const first = await boot({ dataDir })
  const owner = await first.owner()
  for (const name of ['one', 'two', 'three']) await put(first, `${name}.png`, await png())
  await eventually(async () => expect(await activeNames(owner)).toHaveLength(3))
  await owner.delete('/realm/emoji/three')
  await first.close()
  await rm(join(dataDir, 'emoji', 'one.png'))
  await writeFile(join(dataDir, 'emoji', 'four.png'), await png())
  const second = await boot({ dataDir })
  const again = await ownerOf(second)
  await eventually(async () => expect((await activeNames(again)).toSorted()).toEqual(['four', 'two']))
  expect(await statusOf(second, 'three.png')).toMatchObject({ status: 'taken_away' })
  await second.close()
  await rm(join(dataDir, 'emoji'), { recursive: true })
  const third = await boot({ dataDir })
  expect((await activeNames(await ownerOf(third))).toSorted()).toEqual(['four', 'two'])
})

test('a folder that goes away while the server runs takes nothing with it; another one counts', async () => {
  const server = await boot()
  const owner = await server.owner()
  const folder = folderOf(server)
  await put(server, 'tea.png', await png())
  await put(server, 'cake.png', await png())
  await eventually(async () => expect(await activeNames(owner)).toHaveLength(2))
  await rename(folder, `${folder}.away`)
  await eventually(async () => expect((await server.admin('GET', '/emoji-folder'))['files']).toEqual([]))
  expect((await activeNames(owner)).toSorted()).toEqual(['cake', 'tea'])
  await rm(join(`${folder}.away`, 'tea.png'))
  await writeFile(join(`${folder}.away`, 'pie.png'), await png())
  await rename(`${folder}.away`, folder)
  await eventually(async () => expect((await activeNames(owner)).toSorted()).toEqual(['cake', 'pie']))
})

test('where pictures cannot be saved they wait, and are taken once they can', async () => {
  const server = await boot()
  const owner = await server.owner()
  const { folder, emojiFolder } = server.running.server
  const inTheWay = join(folder.uploads, String(server.realm('test').id))
  await mkdir(folder.uploads, { recursive: true })
  await writeFile(inTheWay, 'no folder')
  await put(server, 'tea.png', await png())
  await eventually(async () =>
    expect(await statusOf(server, 'tea.png')).toMatchObject({
      status: 'waiting',
      reason: expect.any(String),
    }),
  )
  expect(await activeNames(owner)).toEqual([])
  await rm(inTheWay)
  await emojiFolder.reconcile()
  expect(await activeNames(owner)).toEqual(['tea'])
})

/** The owner of a realm that an earlier server made. */
async function ownerOf(server: TestServer): Promise<Person> {
  const anybody = new Person(`${server.url}/r/test`, 'owner@test.example', '', 0)
  const { api_key, user_id } = await anybody.post('/dev_fetch_api_key', { username: anybody.email })
  return new Person(anybody.base, anybody.email, api_key, user_id)
}
