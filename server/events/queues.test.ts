import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { boot } from '../test/boot.ts'

async function keptFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-queues-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

describe('a clean stop and start', () => {
  test('a queue goes on: events that were waiting, ids, and its narrow', async () => {
    const dataDir = await keptFolder()
    const first = await boot({ dataDir })
    const ann = await first.listenAs('ann', 'member', {
      event_types: ['message', 'restart'],
      apply_markdown: true,
      narrow: [['is', 'dm']],
    })
    await ann.join('general')
    await ann.tell([ann], 'before')
    expect(await ann.events()).toMatchObject([{ id: 0, message: { content: '<p>before</p>' } }])
    await ann.tell([ann], 'unseen')
    await first.close()

    const second = await boot({ dataDir })
    const again = await second.as('ann')
    const poll = (last_event_id: number) =>
      again.get('/events', { queue_id: ann.queueId, last_event_id, dont_block: true })
    expect((await poll(0))['events']).toMatchObject([
      { id: 1, type: 'message', message: { content: '<p>unseen</p>' } },
      { id: 2, type: 'restart', svc_feature_level: 370 },
    ])
    await again.say('general', 'hi', 'does not fit the narrow')
    await again.tell([again], 'after')
    expect((await poll(2))['events']).toMatchObject([{ id: 3, message: { content: '<p>after</p>' } }])
    await again.refused('GET', '/events', { queue_id: ann.queueId, last_event_id: 1 }, 'BAD_REQUEST')
  })

  test('what a command does while the server is stopped reaches the queue', async () => {
    const dataDir = await keptFolder()
    const first = await boot({ dataDir })
    const ann = await first.listenAs('ann', 'member', { event_types: ['realm_user'] })
    await first.close()
    const command = await boot({ dataDir }, { privately: true })
    await command.as('newcomer')
    await command.close()
    const second = await boot({ dataDir })
    const again = await second.as('ann')
    const { events } = await again.get('/events', { queue_id: ann.queueId, last_event_id: -1 })
    expect(events).toMatchObject([{ type: 'realm_user', op: 'add', person: { full_name: 'Newcomer' } }])
  })

  test('web pages are asked to load anew only where another program was started', async () => {
    const dataDir = await keptFolder()
    const first = await boot({ dataDir })
    const ann = await first.listenAs('ann', 'member', { event_types: ['web_reload_client'] })
    await first.close()
    const second = await boot({ dataDir })
    const poll = async (server: typeof first) => {
      const again = await server.as('ann')
      const params = { queue_id: ann.queueId, last_event_id: -1, dont_block: true }
      return (await again.get('/events', params))['events']
    }
    expect(await poll(second)).toEqual([])
    await second.close()
    const database = await openDatabase(join(dataDir, 'parley.db'))
    database.run("UPDATE kept_queues SET writer = 'an older program'")
    await database.close()
    expect(await poll(await boot({ dataDir }))).toEqual([
      { type: 'web_reload_client', immediate: false, id: 0 },
    ])
  })

  test('a queue of somebody who was deactivated does not come back', async () => {
    const dataDir = await keptFolder()
    const first = await boot({ dataDir })
    const owner = await first.owner()
    const ann = await first.listenAs('ann')
    const bob = await first.listenAs('bob')
    await owner.delete(`/users/${ann.id}`)
    await first.close()
    const second = await boot({ dataDir })
    expect([...second.running.server.hub.all()].map(({ id }) => id)).toEqual([bob.queueId])
  })
})

test('after a crash the client is told to start over, and nothing of a queue is left', async () => {
  const dataDir = await keptFolder()
  const first = await boot({ dataDir })
  const ann = await first.listenAs('ann')
  await first.close()
  const second = await boot({ dataDir })
  // Taken up, and gone from the disk before anybody is answered: were this server killed now, nothing is stale.
  expect(second.running.server.database.all('SELECT * FROM kept_queues')).toEqual([])
  expect([...second.running.server.hub.all()]).toHaveLength(1)
  const again = await second.as('ann')
  second.running.server.hub.removeById(ann.queueId)
  await again.refused('GET', '/events', { queue_id: ann.queueId }, 'BAD_EVENT_QUEUE_ID')
})

describe('limits over all queues', () => {
  test('by number: the one polled longest ago goes, never one that somebody waits on', async () => {
    let time = Date.now()
    const server = await boot({ maxQueues: 10 }, { now: () => time })
    const ann = await server.listenAs('ann', 'member', { event_types: ['message'] })
    const waiting = ann.request('GET', '/events', { queue_id: ann.queueId, last_event_id: -1 })
    await expect.poll(() => [...server.running.server.hub.all()].filter(({ poll }) => poll).length).toBe(1)
    const others: string[] = []
    for (let i = 0; i < 11; i += 1) {
      time += 1000
      others.push((await server.listenAs('bob')).queueId)
    }
    const left = [...server.running.server.hub.all()].map(({ id }) => id)
    expect(left).toHaveLength(10)
    expect(left).toContain(ann.queueId)
    expect(left).not.toContain(others[0])
    expect(left).not.toContain(others[1])
    await ann.tell([ann], 'wake up')
    expect((await waiting).body['events']).toHaveLength(1)
  })

  test('by what waits in them: whoever never comes loses the queue, the others lose nothing', async () => {
    let time = Date.now()
    const server = await boot({ maxUndeliveredMib: 1 }, { now: () => time })
    const lazy = await server.listenAs('ann', 'member', { event_types: ['message'] })
    time += 1000
    const busy = await server.listenAs('ann', 'member', { event_types: ['message'] })
    const received: unknown[] = []
    const long = 'x'.repeat(9000)
    for (let i = 0; i < 120; i += 1) {
      await busy.tell([busy], long)
      time += 1000
      received.push(...(await busy.events()))
    }
    expect(received).toHaveLength(120)
    await lazy.refused('GET', '/events', { queue_id: lazy.queueId }, 'BAD_EVENT_QUEUE_ID')
    await busy.get('/events', { queue_id: busy.queueId, dont_block: true })
  })
})
