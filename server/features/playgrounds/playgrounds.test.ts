import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

const place = {
  name: 'Try it',
  pygments_language: 'Python',
  url_template: 'https://run.example/?code={code}',
}

test('playgrounds are added and removed by administrators, and everybody hears', async () => {
  const server = await boot()
  const owner = await server.owner()
  const guest = await server.listenAs('guest', 'guest', { event_types: ['realm_playgrounds'] })
  const other = await server.listenAs('other', 'member', { event_types: ['realm_playgrounds'] }, 'elsewhere')
  const { id } = await owner.post('/realm/playgrounds', place)
  expect(await guest.events()).toMatchObject([
    { type: 'realm_playgrounds', realm_playgrounds: [{ id, ...place }] },
  ])
  const { realm_playgrounds } = await guest.listen({ fetch_event_types: ['realm_playgrounds'] })
  expect(realm_playgrounds).toEqual([{ id, ...place }])
  for (const bad of [
    place,
    { ...place, name: 'a', url_template: 'https://run.example' },
    { ...place, name: 'a', url_template: 'https://run.example/{code}{more}' },
    { ...place, name: 'a', url_template: 'javascript:{code}' },
    { ...place, name: 'a', pygments_language: '<b>' },
  ]) {
    await owner.refused('POST', '/realm/playgrounds', bad, 'BAD_REQUEST')
  }
  await guest.refused('POST', '/realm/playgrounds', { ...place, name: 'b' }, 'BAD_REQUEST')
  await guest.refused('DELETE', `/realm/playgrounds/${id}`, {}, 'BAD_REQUEST')
  expect(await guest.events()).toEqual([])
  await owner.delete(`/realm/playgrounds/${id}`)
  expect(await guest.events()).toMatchObject([{ type: 'realm_playgrounds', realm_playgrounds: [] }])
  expect(await other.events()).toEqual([])
  await owner.refused('DELETE', `/realm/playgrounds/${id}`, {}, 'BAD_REQUEST')
})
