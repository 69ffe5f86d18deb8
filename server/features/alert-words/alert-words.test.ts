import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('alert words are one’s own, and told to nobody else', async () => {
  const server = await boot()
  const ann = await server.listenAs('ann', 'member', { event_types: ['alert_words'] })
  const bob = await server.listenAs('bob', 'member', { event_types: ['alert_words'] })
  expect(await ann.get('/users/me/alert_words')).toMatchObject({ alert_words: [] })
  await ann.post('/users/me/alert_words', { alert_words: ['Lunch', ' c++ ', '', 'lunch'] })
  expect(await ann.events()).toMatchObject([{ type: 'alert_words', alert_words: ['c++', 'Lunch'] }])
  await ann.post('/users/me/alert_words', { alert_words: ['LUNCH'] })
  expect(await ann.events()).toEqual([])
  const { alert_words } = await ann.listen({ fetch_event_types: ['alert_words'] })
  expect(alert_words).toEqual(['c++', 'Lunch'])
  expect(await ann.delete('/users/me/alert_words', { alert_words: ['lunch', 'other'] })).toMatchObject({
    alert_words: ['c++'],
  })
  expect(await ann.events()).toMatchObject([{ type: 'alert_words', alert_words: ['c++'] }])
  expect(await bob.events()).toEqual([])
  await ann.refused('POST', '/users/me/alert_words', { alert_words: ['x'.repeat(101)] }, 'BAD_REQUEST')
  expect(await ann.get('/users/me/alert_words')).toMatchObject({ alert_words: ['c++'] })
})

test('a message that holds one as a word is flagged for its receivers, also after an edit', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const eve = await server.as('eve')
  for (const person of [bob, eve]) {
    await person.post('/users/me/alert_words', { alert_words: ['big Boat', 'c++'] })
  }
  await ann.join('design')
  await bob.join('design')
  const flagged = async (content: string): Promise<boolean> => {
    const id = await ann.say('design', 'x', content)
    return (await bob.get(`/messages/${id}`))['message']['flags'].includes('has_alert_word')
  }
  expect(await flagged('a BIG boat!')).toBe(true)
  expect(await flagged('(c++)')).toBe(true)
  expect(await flagged('big boats')).toBe(false)
  expect(await flagged('xbig boat')).toBe(false)
  const id = await ann.say('design', 'x', 'nothing')
  await ann.patch(`/messages/${id}`, { content: 'big boat' })
  expect((await bob.get(`/messages/${id}`))['message']['flags']).toContain('has_alert_word')
  expect((await eve.get(`/messages/${id}`))['message']['flags']).not.toContain('has_alert_word')
})
