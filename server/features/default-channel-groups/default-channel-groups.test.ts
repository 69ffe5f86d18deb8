import { expect, test } from 'vitest'
import { boot, type Params, type Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const listening = { event_types: ['default_stream_groups'] }

async function channelIds(owner: Person): Promise<Record<string, number>> {
  const { streams } = await owner.get('/streams')
  return Object.fromEntries(streams.map((one: Params) => [one['name'], one['stream_id']]))
}
const groupsOf = async (person: Person) =>
  (await person.post('/register', { fetch_event_types: ['default_stream_groups'] }))[
    'realm_default_stream_groups'
  ]

test('administrators create, change and delete groups; everybody but guests hears of all groups', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.join(['design', 'engineering', 'lounge'])
  const { design = 0, engineering = 0, lounge = 0 } = await channelIds(owner)
  const administrator = await server.as('adam', 'administrator')
  const ann = await server.listenAs('ann', 'member', listening)
  const guest = await server.listenAs('gus', 'guest', listening)
  const stranger = await server.listenAs('eve', 'owner', listening, 'other')
  const told = async () => (await ann.events()).map((event) => event['default_stream_groups'])

  await administrator.post('/default_stream_groups/create', {
    group_name: 'makers',
    description: 'Who makes things',
    stream_names: ['engineering', 'design'],
  })
  const [made] = await groupsOf(ann)
  const makers = {
    id: made.id,
    name: 'makers',
    description: 'Who makes things',
    streams: [design, engineering],
  }
  expect(made).toEqual(makers)
  expect(await told()).toEqual([[makers]])

  await administrator.patch(`/default_stream_groups/${made.id}`, { new_group_name: 'builders' })
  const builders = { ...makers, name: 'builders' }
  expect(await told()).toEqual([[builders]])

  const streams = `/default_stream_groups/${made.id}/streams`
  await administrator.patch(streams, { op: 'add', stream_names: ['lounge'] })
  await administrator.patch(streams, { op: 'remove', stream_names: ['design', 'engineering'] })
  expect(await told()).toEqual([
    [{ ...builders, streams: [design, engineering, lounge].sort((a, b) => a - b) }],
    [{ ...builders, streams: [lounge] }],
  ])

  await administrator.delete(`/default_stream_groups/${made.id}`)
  expect(await told()).toEqual([[]])
  expect(await guest.events()).toEqual([])
  expect(await stranger.events()).toEqual([])
})

test('a guest is not shown the groups', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.post('/default_stream_groups/create', { group_name: 'makers' })
  expect(await groupsOf(await server.as('gus', 'guest'))).toEqual([])
  expect(await groupsOf(await server.as('ann'))).toHaveLength(1)
})

test('what does not fit is refused and changes nothing', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.join(['design', 'engineering'])
  await owner.join('secret', { invite_only: true })
  const group = { group_name: 'makers', description: '', stream_names: ['design'] }
  const create = '/default_stream_groups/create'
  await owner.post(create, group)
  const [{ id }] = await groupsOf(owner)
  await owner.listen(listening)
  for (const wrong of [
    group,
    { ...group, group_name: '' },
    { ...group, group_name: 'x'.repeat(61) },
    { ...group, group_name: 'new', stream_names: ['nowhere'] },
    { ...group, group_name: 'new', stream_names: ['secret'] },
    { ...group, group_name: 'new', stream_names: ['design', 'Design'] },
  ]) {
    await owner.refused('POST', create, wrong, 'BAD_REQUEST')
  }
  const one = `/default_stream_groups/${id}`
  await owner.refused('PATCH', `${one}/streams`, { op: 'add', stream_names: ['design'] }, 'BAD_REQUEST')
  await owner.refused(
    'PATCH',
    `${one}/streams`,
    { op: 'remove', stream_names: ['engineering'] },
    'BAD_REQUEST',
  )
  await owner.refused('PATCH', `${one}/streams`, { op: 'swap', stream_names: ['design'] }, 'BAD_REQUEST')
  await owner.refused('DELETE', '/default_stream_groups/999', {}, 'BAD_REQUEST')
  for (const role of ['moderator', 'member', 'guest'] as const) {
    const person = await server.as(role, role)
    await person.refused('POST', create, { ...group, group_name: 'new' }, 'BAD_REQUEST')
    await person.refused('PATCH', one, { group_name: 'new' }, 'BAD_REQUEST')
    await person.refused('DELETE', one, {}, 'BAD_REQUEST')
  }
  expect(await owner.events()).toEqual([])
})

test('a snapshot stays current', async () => {
  const server = await boot()
  const owner = await server.owner()
  await expectConverges(await server.as('ann'), () =>
    owner.post('/default_stream_groups/create', { group_name: 'makers', description: 'All' }),
  )
})

const ways: [string, (owner: Person, id: number) => Promise<unknown>][] = [
  ['archived', (owner, id) => owner.delete(`/streams/${id}`)],
  ['made private', (owner, id) => owner.patch(`/streams/${id}`, { is_private: true })],
]
test.each(ways)('a channel that is %s leaves its groups', async (_what, change) => {
  const server = await boot()
  const owner = await server.owner()
  await owner.join(['design', 'engineering'])
  await owner.post('/default_stream_groups/create', {
    group_name: 'makers',
    stream_names: ['design', 'engineering'],
  })
  const { design = 0, engineering } = await channelIds(owner)
  const ann = await server.listenAs('ann', 'member', listening)
  await change(owner, design)
  expect(await ann.events()).toMatchObject([{ default_stream_groups: [{ streams: [engineering] }] }])
  expect(await groupsOf(owner)).toMatchObject([{ streams: [engineering] }])
})
