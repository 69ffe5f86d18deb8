import { expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'

test('an edit that mentions too many at once takes the permission, and changes nothing without', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const ids: number[] = []
  for (let i = 0; i < 17; i += 1) ids.push((await server.as(`p${i}`)).id)
  await owner.join('big', { principals: [owner.id, ann.id, ...ids] })
  const said = await ann.say('big', 'busy', 'Hello')
  await ann.listen({ event_types: ['update_message'] })
  const edit = (content: string) => [`/messages/${said}`, { content }] as const
  await ann.refused('PATCH', ...edit('@**all** hear'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  await ann.refused('PATCH', ...edit('@**channel**'), 'STREAM_WILDCARD_MENTION_NOT_ALLOWED')
  await ann.patch(...edit('@**topic** is small yet'))
  for (let i = 0; i < 17; i += 1) await (await server.as(`p${i}`)).say('big', 'busy', 'Me too')
  // What stood there before is no reason to let it be said again to more people.
  await ann.refused('PATCH', ...edit('@**topic** now'), 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED')
  await ann.patch(...edit('`@**all**` and @_**topic**'))
  expect((await ann.events()).map((event) => event['content'])).toEqual([
    '@**topic** is small yet',
    '`@**all**` and @_**topic**',
  ])
  const group = await owner.post('/user_groups/create', {
    name: 'callers',
    description: '',
    members: [ann.id],
  })
  await owner.patch('/realm', { can_mention_many_users_group: { new: group['group_id'] } })
  await ann.patch(...edit('@**all** hear'))
  await ann.patch(...edit('@**topic** hear'))
})
