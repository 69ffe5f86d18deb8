import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('what a muted user writes is read already; only who mutes hears of it', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general')
  await bob.join('general')
  const old = await bob.say('general', 't', 'old')
  await ann.listen({ event_types: ['muted_users', 'update_message_flags', 'message'] })
  await bob.listen({ event_types: ['muted_users'] })
  const path = `/users/me/muted_users/${bob.id}`
  await ann.post(path)
  const muted = [{ id: bob.id, timestamp: expect.any(Number) }]
  expect(await ann.events()).toMatchObject([
    { type: 'muted_users', muted_users: muted },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [old] },
  ])
  expect((await ann.post('/register', { fetch_event_types: ['muted_users'] }))['muted_users']).toEqual(muted)
  const id = await bob.say('general', 't', 'new')
  expect(await ann.events()).toMatchObject([{ type: 'message', flags: ['read'] }])
  expect(await ann.get(`/messages/${id}`)).toMatchObject({ message: { flags: ['read'] } })
  await ann.refused('POST', path, {}, 'BAD_REQUEST')
  await ann.delete(path)
  await ann.refused('DELETE', path, {}, 'BAD_REQUEST')
  expect(await ann.events()).toMatchObject([{ type: 'muted_users', muted_users: [] }])
  await bob.say('general', 't', 'newer')
  expect(await ann.events()).toMatchObject([{ type: 'message', flags: [] }])
  expect(await bob.events()).toEqual([])
  await ann.refused('POST', `/users/me/muted_users/${ann.id}`, {}, 'BAD_REQUEST')
  await ann.refused('POST', '/users/me/muted_users/4711', {}, 'BAD_REQUEST')
})

test('is:muted holds for what a muted user writes, wherever it stands', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  await ann.join('general', { principals: [ann.id, bob.id] })
  const muted = [await bob.say('general', 't', 'one'), await bob.tell([ann], 'two')]
  const own = await ann.say('general', 't', 'three')
  await ann.post(`/users/me/muted_users/${bob.id}`)
  const found = async (negated: boolean) => {
    const narrow = [
      { operator: 'is', operand: 'muted', negated },
      { operator: 'sender', operand: 'notification-bot@test.local', negated: true },
    ]
    const { messages } = await ann.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
    return messages.map(({ id }: { id: number }) => id)
  }
  expect(await found(false)).toEqual(muted)
  expect(await found(true)).toEqual([own])
})
