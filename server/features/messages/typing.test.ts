import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

const capable = { client_capabilities: { stream_typing_notifications: true } }

test('who does not want to be seen typing is not, nor told where they want no news of it', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.listenAs('bob', 'member', {
    ...capable,
    event_types: ['typing', 'typing_edit_message'],
  })
  await ann.join('general', { principals: [ann.id, bob.id] })
  const { stream_id } = await ann.get('/get_stream_id', { stream: 'general' })
  const inChannel = { type: 'channel', op: 'start', stream_id, topic: 't' }
  const direct = { op: 'start', to: [bob.id] }
  const said = await ann.say('general', 't', 'x')
  const told = await ann.tell([bob], 'x')

  await ann.patch('/settings', { send_stream_typing_notifications: false })
  await ann.refused('POST', '/typing', inChannel, 'BAD_REQUEST')
  await ann.refused('POST', `/messages/${said}/typing`, { op: 'start' }, 'BAD_REQUEST')
  expect(await bob.events()).toEqual([])
  await ann.post('/typing', direct)
  await ann.post(`/messages/${told}/typing`, { op: 'start' })
  expect((await bob.events()).map(({ type }) => type)).toEqual(['typing', 'typing_edit_message'])

  await ann.patch('/settings', {
    send_stream_typing_notifications: true,
    send_private_typing_notifications: false,
  })
  await ann.refused('POST', '/typing', direct, 'BAD_REQUEST')
  await ann.refused('POST', `/messages/${told}/typing`, { op: 'start' }, 'BAD_REQUEST')
  await ann.post('/typing', inChannel)
  for (const topic of ['x'.repeat(61), 'a\nb']) {
    await ann.refused('POST', '/typing', { ...inChannel, topic }, 'BAD_REQUEST')
  }
  await ann.post(`/messages/${said}/typing`, { op: 'stop' })
  expect((await bob.events()).map(({ type }) => type)).toEqual(['typing', 'typing_edit_message'])

  await bob.patch('/settings', { receives_typing_notifications: false })
  await ann.post('/typing', inChannel)
  await ann.post(`/messages/${said}/typing`, { op: 'stop' })
  expect(await bob.events()).toEqual([])
})

test('where one may not write, nobody hears that one types', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  await owner.join('news', { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.get('/get_stream_id', { stream: 'news' })
  const group = (
    await owner.post('/user_groups/create', { name: 'press', description: '', members: [owner.id] })
  )['group_id']
  await owner.patch(`/streams/${stream_id}`, { can_send_message_group: { new: group } })
  await owner.listen(capable)
  const inChannel = { type: 'channel', op: 'start', stream_id, topic: 't' }
  await ann.refused('POST', '/typing', inChannel, 'BAD_REQUEST')
  await owner.delete(`/streams/${stream_id}`)
  await owner.events()
  await owner.refused('POST', '/typing', inChannel, 'BAD_REQUEST')
  expect(await owner.events()).toEqual([])
})
