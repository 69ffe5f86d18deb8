import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { type Body, boot, type Person, type TestServer } from '../../test/boot.ts'
import { claimUploads } from './actions.ts'

const text = (content: string, name = 'notes.txt') => ({ name, bytes: content, type: 'text/plain' })

async function upload(
  person: Person,
  name = 'notes.txt',
  bytes: Uint8Array | string = 'Hello!',
): Promise<string> {
  const { body } = await person.send('POST', '/user_uploads', { name, bytes })
  expect(body).toMatchObject({ result: 'success', msg: '' })
  expect(body['uri']).toBe(body['url'])
  return body['url'] as string
}

/** What a message that links to these files makes of them. */
async function link(server: TestServer, person: Person, messageId: number, urls: string[], realm = 'test') {
  const ctx = new RealmContext(server.running.server, server.realm(realm))
  const pathIds = urls.map((url) => url.replace('/user_uploads/', ''))
  const detached = ctx.transact((tx) =>
    claimUploads(ctx, tx, { id: messageId, sender_id: person.id }, pathIds),
  )
  await ctx.server.database.durable()
  return detached
}

const get = (server: TestServer, url: string, person?: Person, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${url}`, {
    headers: { ...(person ? { Authorization: person.authorization } : {}), ...headers },
  })

const status = async (...args: Parameters<typeof get>) => (await get(...args)).status
/** What somebody was told of files since the last time. */
const told = async (person: Person) => (await person.events()).filter(({ type }) => type === 'attachment')
/** `fetch` adds to a condition that nothing may come from a cache. */
const statusWith = (url: string, headers: Record<string, string>) =>
  new Promise((resolve) => {
    request(url, { headers }, (reply) => resolve(reply.resume().statusCode)).end()
  })
const folderOf = (server: TestServer) => server.running.server.folder.uploads

describe('sending a file', () => {
  test('keeps it, tells its uploader alone, and lists it', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const { status: code, body } = await ann.send('POST', '/user_uploads', text('Hello, files!'), {
      colour: 'red',
    })
    expect(code).toBe(200)
    expect(body).toMatchObject({ filename: 'notes.txt', ignored_parameters_unsupported: ['colour'] })
    const realm = server.realm('test').id
    expect(body['url']).toMatch(new RegExp(`^/user_uploads/${realm}/[0-9a-f]{2}/[\\w-]{24}/notes\\.txt$`))
    const attachment = {
      id: 1,
      name: 'notes.txt',
      path_id: body['url'].replace('/user_uploads/', ''),
      size: 13,
      create_time: expect.any(Number),
      messages: [],
    }
    expect(await told(ann)).toEqual([
      { id: expect.any(Number), type: 'attachment', op: 'add', attachment, upload_space_used: 13 },
    ])
    expect(await told(bob)).toEqual([])
    expect(await ann.get('/attachments')).toMatchObject({ attachments: [attachment], upload_space_used: 13 })
    expect(await bob.get('/attachments')).toMatchObject({ attachments: [], upload_space_used: 13 })
    expect(await readFile(join(folderOf(server), attachment.path_id), 'utf8')).toBe('Hello, files!')
    expect(await readdir(join(folderOf(server), 'incoming'))).toEqual([])
  })

  test('a field of any name will do; none, two or one of another kind will not', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const { body } = await ann.send('POST', '/user_uploads', { ...text('a'), field: 'whatever' })
    expect(body['result']).toBe('success')
    const none = await ann.refused('POST', '/user_uploads', { filename: 'text' }, 'BAD_REQUEST')
    expect(none['msg']).toContain('must specify a file')
    const form = new FormData()
    form.append('one', new Blob(['1']), '1.txt')
    form.append('two', new Blob(['2']), '2.txt')
    const headers = { Authorization: ann.authorization }
    const two = await fetch(`${ann.base}/api/v1/user_uploads`, { method: 'POST', headers, body: form })
    expect(two.status).toBe(400)
    expect((await ann.get('/attachments'))['attachments']).toHaveLength(1)
    expect(await readdir(join(folderOf(server), 'incoming'))).toEqual([])
  })

  test('a file too large is refused and leaves nothing', async () => {
    const server = await boot({ maxFileUploadSizeMib: 1 })
    const ann = await server.listenAs('ann')
    const fits = { name: 'big.bin', bytes: new Uint8Array(1024 * 1024) }
    expect((await ann.send('POST', '/user_uploads', fits)).status).toBe(200)
    const over = await ann.send('POST', '/user_uploads', { ...fits, bytes: new Uint8Array(1024 * 1024 + 1) })
    expect(over).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(over.body['msg']).toContain('1 MiB')
    expect(await told(ann)).toHaveLength(1)
    expect(await readdir(join(folderOf(server), 'incoming'))).toEqual([])
  })

  test('nobody without an account', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const form = new FormData()
    form.append('file', new Blob(['x']), 'x.txt')
    const response = await fetch(`${ann.base}/api/v1/user_uploads`, { method: 'POST', body: form })
    expect(response.status).toBe(401)
    expect(existsSync(join(folderOf(server), 'incoming'))).toBe(false)
  })

  test('a broken body is the fault of its sender', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const headers = { Authorization: ann.authorization, 'Content-Type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\nhalf'
    const response = await fetch(`${ann.base}/api/v1/user_uploads`, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'BAD_REQUEST' })
    expect(await readdir(join(folderOf(server), 'incoming'))).toEqual([])
  })

  test('the quota of the organization holds for all of it together', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const realm = server.realm('test')
    server.running.server.database.transact(() =>
      server.running.server.database.run(
        `UPDATE realms SET settings = '{"upload_quota_mib":1}' WHERE id = ?`,
        [realm.id],
      ),
    )
    const half = { name: 'half.bin', bytes: new Uint8Array(600 * 1024) }
    expect((await ann.send('POST', '/user_uploads', half)).status).toBe(200)
    const { body } = await bob.send('POST', '/user_uploads', half)
    expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: expect.stringContaining('quota') })
    expect((await bob.get('/attachments'))['upload_space_used']).toBe(600 * 1024)
  })

  test.each([
    ['Grüße aus 東京.txt', 'Grüße aus 東京.txt', 'Grüße-aus-東京.txt'],
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['C:\\Users\\ann\\plan (2).pdf', 'plan (2).pdf', 'plan-2.pdf'],
    ['..hidden', 'hidden', 'hidden'],
    ['...', 'uploaded-file', 'uploaded-file'],
    ['a\u202egnp.exe', 'agnp.exe', 'agnp.exe'],
    ['100% #1?.txt', '100% #1?.txt', '100-1.txt'],
    ['CON.txt', 'CON.txt', '_CON.txt'],
  ])('the name %j is kept as %j', async (given, shown, stored) => {
    const server = await boot()
    const ann = await server.as('ann')
    const { body } = await ann.send('POST', '/user_uploads', text('x', given))
    expect(body['filename']).toBe(shown)
    expect(body['url'].split('/').at(-1)).toBe(stored)
    expect(await status(server, body['url'], ann)).toBe(200)
  })

  test('a long name is shortened and keeps its ending', async () => {
    const ann = await (await boot()).as('ann')
    const { body } = await ann.send('POST', '/user_uploads', text('x', `${'ü'.repeat(400)}.tar.gz`))
    expect(body['filename']).toMatch(/^ü+\.gz$/)
    expect(Buffer.byteLength(body['filename'])).toBeLessThanOrEqual(150)
  })
})

describe('who may have a file', () => {
  test('at first its uploader; then whoever may read a message that links to it', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const carol = await server.as('carol')
    const guest = await server.as('gus', 'guest')
    const stranger = await server.as('eve', 'owner', 'other')
    const url = await upload(ann)
    const seen = async () => Promise.all([ann, bob, carol, guest].map((one) => status(server, url, one)))
    expect(await seen()).toEqual([200, 403, 403, 403])
    expect(await status(server, url)).toBe(401)
    expect(await status(server, url, stranger)).toBe(401)

    const direct = await ann.tell([bob], 'look')
    await link(server, ann, direct, [url])
    expect(await seen()).toEqual([200, 200, 403, 403])

    await ann.join('general')
    await link(server, ann, await ann.say('general', 'files', 'look'), [url])
    expect(await seen()).toEqual([200, 200, 200, 403])
    expect(await status(server, url)).toBe(401)
  })

  test('a link in a web-public channel opens it to those without an account, where spectators may come', async () => {
    const server = await boot()
    const owner = await server.owner()
    const url = await upload(owner)
    const { database } = server.running.server
    const spectators = (on: boolean) =>
      database.transact(() =>
        database.run('UPDATE realms SET settings = ?', [JSON.stringify({ enable_spectator_access: on })]),
      )
    spectators(true)
    await owner.join('lobby')
    database.transact(() => database.run('UPDATE channels SET is_web_public = 1'))
    await link(server, owner, await owner.say('lobby', 'files', 'look'), [url])
    expect(await status(server, url)).toBe(200)
    expect((await fetch(`${owner.base}/api/v1${url}`)).status).toBe(200)
    spectators(false)
    expect(await status(server, url)).toBe(401)
  })

  test("somebody else's link opens nothing that its sender may not see", async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.as('bob')
    const carol = await server.as('carol')
    const url = await upload(ann)
    await ann.events()
    await link(server, bob, await bob.tell([carol], 'guessed'), [url])
    expect(await status(server, url, bob)).toBe(403)
    expect(await status(server, url, carol)).toBe(403)
    expect(await told(ann)).toEqual([])
    await link(server, ann, await ann.tell([bob], 'yours'), [url])
    await link(server, bob, await bob.tell([carol], 'passed on'), [url])
    expect(await status(server, url, carol)).toBe(200)
  })

  test('the messages of a file are told to its uploader, as they come and go', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    const url = await upload(ann)
    const first = await ann.tell([bob], 'look')
    await ann.events()
    await bob.events()
    expect(await link(server, ann, first, [url, url, '/user_uploads/1/aa/none/none.txt'])).toEqual([])
    const [update, ...more] = await told(ann)
    expect(more).toEqual([])
    expect(update).toMatchObject({
      type: 'attachment',
      op: 'update',
      upload_space_used: 6,
      attachment: { messages: [{ id: first, date_sent: expect.any(Number) }] },
    })
    expect(update?.['attachment'].messages[0].date_sent % 1000).toBe(0)
    await link(server, ann, first, [url])
    expect(await told(ann)).toEqual([])

    const second = await bob.tell([ann], 'again')
    await link(server, bob, second, [url])
    expect(await link(server, ann, first, [])).toEqual([])
    const detached = await link(server, bob, second, [])
    expect(detached).toMatchObject([{ name: 'notes.txt', messages: [] }])
    expect(await status(server, url, bob)).toBe(403)
    const updates = await told(ann)
    expect(updates.map((one) => one['attachment'].messages.length)).toEqual([2, 1, 0])
    expect(await told(bob)).toEqual([])
  })

  test('a deleted message lets go of its files', async () => {
    const server = await boot()
    const owner = await server.owner()
    const bob = await server.as('bob')
    await owner.listen()
    const url = await upload(owner)
    const id = await owner.tell([bob], 'look')
    await link(server, owner, id, [url])
    await owner.events()
    await owner.delete(`/messages/${id}`)
    expect(await told(owner)).toMatchObject([
      { type: 'attachment', op: 'update', attachment: { messages: [] } },
    ])
    expect(await status(server, url, bob)).toBe(403)
    expect(await status(server, url, owner)).toBe(200)
  })

  test('a link that somebody writes is enough, and an edit without it lets go', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const url = await upload(ann, 'Grüße (1).txt')
    const id = await ann.tell([bob], `Here: [Grüße](${url})`)
    expect(await status(server, url, bob)).toBe(200)
    expect(await ann.get('/attachments')).toMatchObject({ attachments: [{ messages: [{ id }] }] })
    const { detached_uploads } = await ann.patch(`/messages/${id}`, { content: 'Nothing here' })
    expect(detached_uploads).toMatchObject([{ name: 'Grüße (1).txt', messages: [] }])
    expect(await status(server, url, bob)).toBe(403)
  })

  test('the owner alone deletes it, at once for everybody', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann')
    const owner = await server.owner()
    await owner.listen()
    const url = await upload(ann)
    await ann.events()
    await owner.refused('DELETE', '/attachments/1', {}, 'BAD_REQUEST')
    await ann.refused('DELETE', '/attachments/2', {}, 'BAD_REQUEST')
    await ann.delete('/attachments/1')
    expect(await told(ann)).toMatchObject([
      { type: 'attachment', op: 'remove', attachment: { id: 1 }, upload_space_used: 0 },
    ])
    expect(await told(owner)).toEqual([])
    expect(await status(server, url, ann)).toBe(404)
    await ann.refused('DELETE', '/attachments/1', {}, 'BAD_REQUEST')
  })
})

describe('a temporary address', () => {
  test('works for a minute without credentials', async () => {
    let now = Date.now()
    const server = await boot({}, { now: () => now })
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    const url = await upload(ann)
    const { url: open } = (await ann.get(url)) as { url: string }
    expect(open).toMatch(/^\/user_uploads\/temporary\//)
    await bob.refused('GET', url, {}, 'FORBIDDEN', 403)
    await ann.refused('GET', '/user_uploads/1/ab/none/none.txt', {}, 'NOT_FOUND', 404)
    expect(await (await get(server, open)).text()).toBe('Hello!')
    now += 59_000
    expect(await status(server, open)).toBe(200)
    now += 2000
    expect(await status(server, open)).toBe(404)
  })

  test('is for that one file, and cannot be made longer', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const [one, two] = [await upload(ann, 'one.txt'), await upload(ann, 'two.txt')]
    const { url } = (await ann.get(one)) as { url: string }
    const path = (of: string) => of.replace('/user_uploads/', '')
    expect(await status(server, url.replace(path(one), path(two)))).toBe(404)
    expect(await status(server, url.replace(/temporary\/\d+/, 'temporary/9999999999'))).toBe(404)
    await ann.delete('/attachments/1')
    expect(await status(server, url)).toBe(404)
  })

  test('outlives a restart of the server, as files do', async () => {
    const dataDir = (await boot()).running.server.folder.path
    const before = await boot({ dataDir: `${dataDir}-kept` })
    const ann = await before.as('ann')
    const url = await upload(ann)
    const { url: open } = (await ann.get(url)) as { url: string }
    await before.close()
    const after = await boot({ dataDir: `${dataDir}-kept` })
    expect(await (await get(after, open)).text()).toBe('Hello!')
    expect(await (await get(after, url, ann)).text()).toBe('Hello!')
  })
})

describe('how a file is served', () => {
  const png = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()

  test.each<[string, Uint8Array | string, string, 'inline' | 'attachment']>([
    ['notes.txt', 'Hello!', 'text/plain; charset=utf-8', 'attachment'],
    ['page.html', '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'attachment'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'attachment'],
    ['paper.pdf', '%PDF-1.7\n', 'application/pdf', 'inline'],
    ['tune.wav', 'RIFF\0\0\0\0WAVEfmt ', 'audio/wav', 'inline'],
    ['what.bin', new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]), 'application/octet-stream', 'attachment'],
  ])('%s as %s', async (name, bytes, type, disposition) => {
    const server = await boot()
    const ann = await server.as('ann')
    const response = await get(server, await upload(ann, name, bytes), ann)
    expect(response.headers.get('Content-Type')).toBe(type)
    expect(response.headers.get('Content-Disposition')).toMatch(
      new RegExp(`^${disposition}; filename=${name}`),
    )
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(response.headers.get('Cache-Control')).toContain('private')
  })

  test('by its bytes, whatever it is called and said to be', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const sent = { name: 'page.html', bytes: await png(), type: 'text/html' }
    const { body } = await ann.send('POST', '/user_uploads', sent)
    const response = await get(server, body['url'], ann)
    expect(response.headers.get('Content-Type')).toBe('image/png')
    expect(response.headers.get('Content-Disposition')).toMatch(/^inline/)
    expect(response.headers.get('Content-Security-Policy')).toContain('sandbox')
  })

  test('in ranges, and not again when it is known', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const url = await upload(ann, 'long.txt', 'abcdefghij'.repeat(500))
    const part = await get(server, url, ann, { Range: 'bytes=10-14', 'Accept-Encoding': 'gzip' })
    expect([part.status, await part.text()]).toEqual([206, 'abcde'])
    expect(part.headers.get('Content-Range')).toBe('bytes 10-14/5000')
    const beyond = await get(server, url, ann, { Range: 'bytes=9000-' })
    expect(beyond.status).toBe(416)
    const end = await get(server, url, ann, { Range: 'bytes=-3' })
    expect([end.status, await end.text()]).toEqual([206, 'hij'])
    const longEnd = await get(server, url, ann, { Range: 'bytes=-9000' })
    expect([longEnd.status, (await longEnd.text()).length]).toEqual([200, 5000])
    expect((await get(server, url, ann, { 'If-Match': '"another"' })).status).toBe(412)
    const etag = String(part.headers.get('ETag'))
    expect(
      await statusWith(`${server.url}${url}`, { Authorization: ann.authorization, 'If-None-Match': etag }),
    ).toBe(304)
    const head = await fetch(`${server.url}${url}`, {
      method: 'HEAD',
      headers: { Authorization: ann.authorization },
    })
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '5000'])
  })

  test('its name is given in every script', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const response = await get(server, await upload(ann, 'Grüße.txt'), ann)
    expect(response.headers.get('Content-Disposition')).toContain("filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt")
  })

  test.each([
    '/user_uploads/1/../../parley.db',
    '/user_uploads/1/%2e%2e/%2e%2e/parley.db',
    '/user_uploads/9/a/b/c',
  ])('%s is no file', async (path) => {
    const server = await boot()
    const ann = await server.as('ann')
    const reply = (await (await get(server, path, ann)).json()) as Body
    expect(reply['code']).toBe('NOT_FOUND')
  })
})
