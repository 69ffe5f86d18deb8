import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('a status is set in parts, told to everybody, and cleared', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const zoe = await server.listenAs('zoe', 'member', {}, 'elsewhere')
  await bob.listen({ event_types: ['user_status'] })
  const set = (params: object) => ann.post('/users/me/status', { ...params })
  await set({ status_text: ' out for lunch ' })
  await set({ emoji_name: 'smile' })
  const smile = { emoji_name: 'smile', emoji_code: '1f604', reaction_type: 'unicode_emoji' }
  const whole = { status_text: 'out for lunch', ...smile }
  expect(await bob.get(`/users/${ann.id}/status`)).toMatchObject({ status: whole })
  const snapshot = async () =>
    (await bob.post('/register', { fetch_event_types: ['user_status'] }))['user_status']
  expect(await snapshot()).toEqual({ [ann.id]: whole })
  await set({ away: true })
  expect(await snapshot()).toEqual({ [ann.id]: { away: true, ...whole } })
  await set({ away: false, status_text: '', emoji_name: '' })
  expect(await snapshot()).toEqual({})
  const user_id = ann.id
  const none = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' }
  expect(await bob.events()).toMatchObject([
    { type: 'user_status', user_id, status_text: 'out for lunch' },
    { type: 'user_status', user_id, ...smile },
    { type: 'user_status', user_id, away: true },
    { type: 'user_status', user_id, away: false },
    { type: 'user_status', user_id, ...none },
  ])
  await ann.patch('/settings', { presence_enabled: false })
  await ann.patch('/settings', { presence_enabled: false })
  expect(await bob.events()).toMatchObject([{ type: 'user_status', user_id, away: true }])
  expect(await snapshot()).toEqual({ [ann.id]: { away: true } })
  expect((await zoe.events()).filter(({ type }) => type === 'user_status')).toEqual([])
  for (const params of [
    {},
    { status_text: 'x'.repeat(61) },
    { emoji_code: '1f604' },
    { emoji_name: 'no_such_emoji' },
    { ...smile, emoji_code: '1f605' },
  ]) {
    await ann.refused('POST', '/users/me/status', params, 'BAD_REQUEST')
  }
  await bob.refused('GET', '/users/4711/status', {}, 'BAD_REQUEST')
})
