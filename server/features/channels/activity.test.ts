import { expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'

const DAY = 86_400_000

const channelOf = async (person: Person, name: string) =>
  (await person.get('/streams'))['streams'].find((one: { name: string }) => one.name === name)

test('who sees a channel hears that its first message is another one now', async () => {
  const server = await boot()
  const ann = await server.as('ann', 'administrator')
  const gus = await server.as('gus', 'guest')
  await ann.join('general', { principals: [ann.id] })
  await ann.join('secret', { invite_only: true })
  const first = await ann.say('general', 'lunch', 'soup')
  const second = await ann.say('general', 'lunch', 'salad')
  const hidden = await ann.say('secret', 'lunch', 'cake')
  const { stream_id } = await channelOf(ann, 'general')
  const types = { event_types: ['stream'] }
  const bob = await server.listenAs('bob', 'member', types)
  await gus.listen(types)
  await ann.delete(`/messages/${first}`)
  await ann.delete(`/messages/${hidden}`)
  const told = { type: 'stream', op: 'update', stream_id, name: 'general', property: 'first_message_id' }
  expect(await bob.events()).toEqual([{ id: expect.any(Number), ...told, value: second }])
  await ann.delete(`/messages/${second}`)
  expect(await bob.events()).toEqual([{ id: expect.any(Number), ...told, value: null }])
  expect(await gus.events()).toEqual([])
  expect(await channelOf(bob, 'general')).toMatchObject({ first_message_id: null })
})

test('who sees a channel hears that it fell quiet, and that it is active again', async () => {
  let now = Date.now()
  const server = await boot({}, { now: () => now })
  const ann = await server.as('ann')
  await ann.join(['general', 'busy'])
  await ann.say('general', 'lunch', 'soup')
  now += 180 * DAY
  await ann.say('busy', 'lunch', 'soup')
  const gus = await server.as('gus', 'guest')
  const types = { event_types: ['stream'] }
  await ann.listen(types)
  await gus.listen(types)
  await server.running.server.retention.sweep()
  expect(await ann.events()).toEqual([])
  now += DAY
  await ann.listen(types)
  await gus.listen(types)
  await server.running.server.retention.sweep()
  const told = { type: 'stream', op: 'update', name: 'general', property: 'is_recently_active' }
  expect(await ann.events()).toMatchObject([{ ...told, value: false }])
  expect(await channelOf(ann, 'general')).toMatchObject({ is_recently_active: false })
  await ann.say('general', 'lunch', 'cake')
  await ann.say('general', 'lunch', 'pie')
  await ann.say('busy', 'lunch', 'pie')
  expect(await ann.events()).toMatchObject([{ ...told, value: true }])
  expect(await gus.events()).toEqual([])
  expect(await channelOf(ann, 'general')).toMatchObject({ is_recently_active: true })
})
