import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

const ticket = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }
const types = { event_types: ['realm_linkifiers'] }
const knowing = { ...types, client_capabilities: { linkifier_url_template: true } }

test('linkifiers are added, changed, ordered and removed by administrators, and everybody hears', async () => {
  const server = await boot()
  const owner = await server.listenAs('boss', 'administrator', knowing)
  const guest = await server.listenAs('guest', 'guest', knowing)
  const old = await server.listenAs('old', 'member', types)
  const other = await server.listenAs('other', 'member', knowing, 'elsewhere')
  const { id } = await owner.post('/realm/filters', ticket)
  expect(await guest.events()).toMatchObject([
    { type: 'realm_linkifiers', realm_linkifiers: [{ id, ...ticket }] },
  ])
  const second = (await owner.post('/realm/filters', { pattern: 'X(?P<n>[0-9]+)', url_template: '/x/{n}' }))[
    'id'
  ]
  await owner.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, id] })
  const { linkifiers } = await guest.get('/realm/linkifiers')
  expect(linkifiers.map((one: { id: number }) => one.id)).toEqual([second, id])
  const { realm_linkifiers } = await guest.listen({ ...knowing, fetch_event_types: ['realm_linkifiers'] })
  expect(realm_linkifiers).toEqual(linkifiers)
  await owner.patch(`/realm/filters/${id}`, { ...ticket, url_template: 'https://other.example/{id}' })
  await owner.delete(`/realm/filters/${second}`)
  const [, last] = await guest.events()
  expect(last?.['realm_linkifiers']).toEqual([{ ...ticket, id, url_template: 'https://other.example/{id}' }])
  expect(await old.events()).toEqual([])
  expect(await other.events()).toEqual([])
  const without = await old.listen({
    fetch_event_types: ['realm_linkifiers', 'realm_filters'],
    client_capabilities: {},
  })
  expect(without).toMatchObject({ realm_linkifiers: [], realm_filters: [] })
  const { rendered } = await guest.post('/messages/render', { content: 'see #12' })
  expect(rendered).toContain('href="https://other.example/12"')
  await owner.join('design')
  const message = await owner.say('design', 'about #7', 'x')
  expect((await owner.get(`/messages/${message}`))['message']['topic_links']).toEqual([
    { text: '#7', url: 'https://other.example/7' },
  ])
})

test('what cannot be a linkifier is refused, and changes nothing', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const { id } = await owner.post('/realm/filters', ticket)
  for (const bad of [
    ticket,
    { pattern: '(', url_template: 'https://x.example' },
    { pattern: 'a(?=b)', url_template: 'https://x.example' },
    { pattern: '(?P<id>[0-9]+)', url_template: 'https://x.example' },
    { pattern: 'a', url_template: 'https://x.example/{id}' },
    { pattern: '(?P<id>a)', url_template: 'javascript:{id}' },
    { pattern: '(?P<id>a)', url_template: 'https://x.example/{id' },
    { pattern: '(?P<id>[0-9]{1000})', url_template: 'https://x.example/{id}' },
  ]) {
    await owner.refused('POST', '/realm/filters', bad, 'BAD_REQUEST')
  }
  await owner.refused('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id, id] }, 'BAD_REQUEST')
  await owner.refused('DELETE', '/realm/filters/4711', {}, 'BAD_REQUEST')
  await ann.refused('POST', '/realm/filters', { ...ticket, pattern: 'y(?P<id>1)' }, 'BAD_REQUEST')
  await ann.refused('DELETE', `/realm/filters/${id}`, {}, 'BAD_REQUEST')
  await ann.refused('PATCH', `/realm/filters/${id}`, ticket, 'BAD_REQUEST')
  expect((await ann.get('/realm/linkifiers'))['linkifiers']).toEqual([{ id, ...ticket }])
})
