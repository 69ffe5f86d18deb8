import { expect, test } from 'vitest'
import { RealmContext } from '../../context.ts'
import { boot } from '../../test/boot.ts'
import { updateChannel } from '../channels/store.ts'

const DAY = 86_400_000

test('what is older than it is kept goes, by channel and by organization', async () => {
  const clock = { now: Date.UTC(2027, 3, 5) }
  const server = await boot({}, { now: () => clock.now })
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join(['short', 'forever', 'usual'])
  await bob.join('short')
  const { running } = server
  const realm = server.realm('test')
  const ctx = new RealmContext(running.server, realm)
  const channels: { name: string; stream_id: number }[] = (await ann.get('/streams'))['streams']
  const idOf = (name: string) => channels.find((one) => one.name === name)?.stream_id ?? -1
  ctx.transact((tx) => {
    updateChannel(tx, idOf('short'), { message_retention_days: 2 })
    updateChannel(tx, idOf('forever'), { message_retention_days: -1 })
    running.server.database.run('UPDATE realms SET settings = ? WHERE id = ?', [
      JSON.stringify({ message_retention_days: 5 }),
      realm.id,
    ])
  })
  const first: number[] = []
  for (const name of ['short', 'forever', 'usual']) first.push(await ann.say(name, 't', 'old'))
  const direct = await ann.tell([bob], 'old')
  clock.now += 3 * DAY
  const kept = await ann.say('short', 't', 'new')
  await bob.listen({
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  })
  await running.server.retention.sweep()
  await running.server.database.durable()
  expect(await bob.events()).toMatchObject([
    { type: 'delete_message', stream_id: idOf('short'), message_ids: [first[0]] },
  ])
  const streams = (await ann.get('/streams'))['streams']
  expect(streams).toContainEqual(expect.objectContaining({ name: 'short', first_message_id: kept }))
  const left = async () =>
    (
      await ann.get('/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        narrow: [['sender', ann.email]],
      })
    )['messages'].map(({ id }: { id: number }) => id)
  expect(await left()).toEqual([first[1], first[2], direct, kept])
  clock.now += 3 * DAY
  await running.server.retention.sweep()
  await running.server.database.durable()
  expect(await left()).toEqual([first[1]])
  expect(await bob.events()).toMatchObject([
    { type: 'delete_message', message_ids: [kept] },
    { type: 'delete_message', message_type: 'private', message_ids: [direct] },
  ])
})
