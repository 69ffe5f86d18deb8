import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { loadConfig } from './config.ts'
import { boot } from './test/boot.ts'

const flags = { port: 0, dev: true, log: 'silent' }
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

test('what can change while the server runs does; the rest waits; mistakes change nothing', async () => {
  const server = await boot({}, { flags })
  const file = join(server.running.server.folder.path, 'config.json')
  const setting = async (name: string) =>
    (await server.admin('GET', '/config'))['settings'].find((one: { name: string }) => one.name === name)
  expect(await setting('heartbeatSeconds')).toEqual({
    name: 'heartbeatSeconds',
    value: 60,
    source: 'default',
    live: true,
    waiting: null,
  })
  expect(await setting('dev')).toMatchObject({ value: true, source: 'flag', live: false })

  const fresh = {
    heartbeatSeconds: 1,
    maxQueuesPerUser: 1,
    webPublicStreamsEnabled: false,
    dev: false,
    odd: 1,
  }
  await writeFile(file, JSON.stringify(fresh))
  await eventually(async () => {
    expect(await setting('heartbeatSeconds')).toMatchObject({ value: 1, source: 'config.json' })
  })
  // A flag wins over the file.
  expect(await setting('dev')).toMatchObject({ value: true, source: 'flag', waiting: null })
  expect(await setting('webPublicStreamsEnabled')).toMatchObject({ value: true, waiting: false, live: false })
  expect(await server.admin('GET', '/config')).toMatchObject({ path: file, problem: null, unknown: ['odd'] })
  const ann = await server.listenAs('ann')
  const first = ann.queueId
  expect(await ann.events({ block: true })).toMatchObject([{ type: 'heartbeat' }])
  await ann.listen()
  await ann.refused('GET', '/events', { queue_id: first, last_event_id: -1 }, 'BAD_EVENT_QUEUE_ID')

  // As editors save: the new file takes the place of the old one.
  await writeFile(`${file}.new`, '{"heartbeatSeconds": "soon", "maxQueuesPerUser": 7}')
  await rename(`${file}.new`, file)
  await eventually(async () => {
    const { problem } = await server.admin('GET', '/config')
    expect(problem).toContain('heartbeatSeconds')
  })
  expect(await setting('maxQueuesPerUser')).toMatchObject({ value: 1 })
  await rm(file)
  await eventually(async () => {
    expect(await setting('maxQueuesPerUser')).toMatchObject({ value: 100, source: 'default', waiting: null })
  })
  expect(await server.admin('GET', '/config')).toMatchObject({ problem: null, unknown: [] })
})

test('what waits holds after a start', async () => {
  const server = await boot({}, { flags })
  const { path } = server.running.server.folder
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'config.json'), '{"webPublicStreamsEnabled": false}')
  expect(loadConfig({ ...flags, dataDir: path }, {})).toMatchObject({ webPublicStreamsEnabled: false })
})
