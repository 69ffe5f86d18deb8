import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('saved snippets are made, changed and deleted by their owner alone', async () => {
  const server = await boot()
  const bob = await server.as('bob')
  const ann = await server.listenAs('ann')
  await bob.listen()
  const { saved_snippet_id: id } = await ann.post('/saved_snippets', { title: ' Hi ', content: 'Hello!' })
  const snippet = { id, title: 'Hi', content: 'Hello!' }
  await ann.patch(`/saved_snippets/${id}`, { title: 'Hey' })
  await ann.patch(`/saved_snippets/${id}`, { title: 'Hey' })
  expect(await ann.get('/saved_snippets')).toMatchObject({ saved_snippets: [{ ...snippet, title: 'Hey' }] })
  expect(
    (await ann.post('/register', { fetch_event_types: ['saved_snippets'] }))['saved_snippets'],
  ).toMatchObject([{ ...snippet, title: 'Hey' }])
  expect(await bob.get('/saved_snippets')).toMatchObject({ saved_snippets: [] })
  await bob.refused('PATCH', `/saved_snippets/${id}`, { title: 'Mine' }, 'BAD_REQUEST', 404)
  await bob.refused('DELETE', `/saved_snippets/${id}`, {}, 'BAD_REQUEST', 404)
  await ann.delete(`/saved_snippets/${id}`)
  await ann.refused('DELETE', `/saved_snippets/${id}`, {}, 'BAD_REQUEST', 404)
  expect(await ann.events()).toMatchObject([
    { type: 'saved_snippets', op: 'add', saved_snippet: snippet },
    { type: 'saved_snippets', op: 'update', saved_snippet: { ...snippet, title: 'Hey' } },
    { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
  ])
  expect(await bob.events()).toEqual([])
})

test.each([
  [{ title: ' ', content: 'x' }, 'BAD_REQUEST'],
  [{ title: 'x'.repeat(61), content: 'x' }, 'BAD_REQUEST'],
  [{ title: 'x', content: '' }, 'BAD_REQUEST'],
  [{ title: 'x', content: 'x'.repeat(10_001) }, 'BAD_REQUEST'],
  [{ title: 'x' }, 'REQUEST_VARIABLE_MISSING'],
])('a snippet %j is refused', async (params, code) => {
  const ann = await (await boot()).as('ann')
  await ann.refused('POST', '/saved_snippets', params, code)
})
