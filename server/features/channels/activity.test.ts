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

test('a channel that its maker announces begins with who made it, and is told of where new ones are', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  await owner.join('news')
  const { stream_id } = await channelOf(owner, 'news')
  await owner.patch('/realm', { new_stream_announcements_stream_id: stream_id })
  const read = async (channel: string) => {
    const narrow = [{ operator: 'channel', operand: channel }]
    const query = { anchor: 'newest', num_before: 5, num_after: 0, narrow, apply_markdown: false }
    const { messages } = await ann.get('/messages', query)
    return messages.map((one: { subject: string; content: string }) => [one.subject, one.content])
  }
  const by = `@_**Ann|${ann.id}**`
  await ann.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'design', description: 'Drawings' }],
    announce: true,
  })
  await ann.join('secret', { invite_only: true, announce: true })
  await ann.join('quiet')
  const quote = '**Description:**\n```` quote\nDrawings\n````'
  expect(await read('design')).toEqual([['channel events', `**Public** channel created by ${by}. ${quote}`]])
  expect(await read('secret')).toEqual([
    ['channel events', `**Private, protected history** channel created by ${by}.`],
  ])
  expect(await read('quiet')).toEqual([])
  expect(await read('news')).toEqual([['new channels', `${by} created a new channel #**design**.`]])
})
