import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

const types = { event_types: ['message', 'submessage'] }

test('a poll is a widget from the start; anybody who reads it votes, only its sender edits the question', async () => {
  const server = await boot()
  const ann = await server.listenAs('ann', 'member', types)
  const bob = await server.listenAs('bob', 'member', types)
  const eve = await server.listenAs('eve', 'member', types)
  const message_id = await ann.tell([bob], '/poll Lunch?\n- soup\n\nsalad')
  const [event] = await bob.events()
  const [widget] = event?.['message'].submessages ?? []
  expect(widget).toMatchObject({ msg_type: 'widget', message_id, sender_id: ann.id })
  expect(JSON.parse(widget.content)).toEqual({
    widget_type: 'poll',
    extra_data: { question: 'Lunch?', options: ['soup', 'salad'] },
  })
  await ann.events()
  const say = (content: unknown) => ({ message_id, msg_type: 'widget', content: JSON.stringify(content) })
  const vote = say({ type: 'vote', key: 'canned,0', vote: 1 })
  await bob.post('/submessage', vote)
  for (const person of [ann, bob]) {
    expect(await person.events()).toMatchObject([
      { type: 'submessage', message_id, msg_type: 'widget', sender_id: bob.id, content: vote.content },
    ])
  }
  const question = say({ type: 'question', question: 'Dinner?' })
  await bob.refused('POST', '/submessage', question, 'BAD_REQUEST')
  await ann.post('/submessage', question)
  await eve.refused('POST', '/submessage', vote, 'BAD_REQUEST')
  await bob.refused('POST', '/submessage', say({ type: 'vote', key: 'canned,0', vote: 5 }), 'BAD_REQUEST')
  await bob.refused('POST', '/submessage', { ...vote, content: '{' }, 'BAD_REQUEST')
  await bob.refused('POST', '/submessage', { ...vote, msg_type: 'other' }, 'BAD_REQUEST')
  expect(await eve.events()).toEqual([])
  const { message } = await bob.get(`/messages/${message_id}`)
  expect(message['submessages']).toHaveLength(3)
})

test('task lists; and messages that are no widget', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const id = await ann.tell([bob], '/todo Move\nboxes: twenty')
  const { message } = await bob.get(`/messages/${id}`)
  expect(JSON.parse(message['submessages'][0].content)).toEqual({
    widget_type: 'todo',
    extra_data: { task_list_title: 'Move', tasks: [{ task: 'boxes', desc: 'twenty' }] },
  })
  const plain = await ann.tell([bob], 'hello')
  const own = { message_id: plain, msg_type: 'widget', content: '{"any":1}' }
  await bob.refused('POST', '/submessage', own, 'BAD_REQUEST')
  await ann.post('/submessage', own)
  await bob.post('/submessage', own)
  expect((await bob.get(`/messages/${plain}`))['message']['submessages']).toHaveLength(2)
})
