import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

const path = '/users/me/device_push_reg_id'

test('a token is registered and removed by its owner', async () => {
  const server = await boot()
  const bob = await server.as('bob')
  const ann = await server.listenAs('ann')
  await ann.post(path, { token: 'abc' })
  await ann.post(path, { token: 'abc' })
  await bob.refused('DELETE', path, { token: 'abc' }, 'BAD_REQUEST')
  await ann.delete(path, { token: 'abc' })
  await ann.refused('DELETE', path, { token: 'abc' }, 'BAD_REQUEST')
  for (const method of ['POST', 'DELETE']) {
    await ann.refused(method, path, { token: '' }, 'BAD_REQUEST')
    await ann.refused(method, path, { token: 'x'.repeat(4097) }, 'BAD_REQUEST')
    await ann.refused(method, path, {}, 'REQUEST_VARIABLE_MISSING')
  }
  expect(await ann.events()).toEqual([])
})

test('the user learns on every device that calls were authorized', async () => {
  const server = await boot()
  const bob = await server.as('bob')
  const ann = await server.listenAs('ann')
  await bob.listen()
  const known = async () =>
    (await ann.post('/register', { fetch_event_types: ['video_calls'] }))['has_call_token']
  expect(await known()).toBe(false)
  await ann.post('/users/me/call_token', { value: true })
  await ann.post('/users/me/call_token', { value: true })
  expect(await known()).toBe(true)
  await ann.post('/users/me/call_token', { value: false })
  expect(await ann.events()).toMatchObject([
    { type: 'has_call_token', value: true },
    { type: 'has_call_token', value: false },
  ])
  expect(await bob.events()).toEqual([])
})
