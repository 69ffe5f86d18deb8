/** Everybody is written once and sent to many: to each still what they may see. */
import { expect, test } from 'vitest'
import { boot, type Body, type Person } from '../../test/boot.ts'

const seenBy = async (person: Person, params: object = {}, headers: Record<string, string> = {}) => {
  const form = { fetch_event_types: ['realm_user'], client_extavatar: false, ...params }
  const reply = await person.call('POST', '/register', form, headers)
  const users = [...reply['realm_users'], ...reply['realm_non_active_users']] as Body[]
  return new Map(users.map((user) => [user['user_id'] as number, user]))
}

test('each sees the addresses that are theirs to see, whoever asked before', async () => {
  const server = await boot()
  const owner = await server.owner()
  const [ann, bob, gus] = [await server.as('ann'), await server.as('bob'), await server.as('gus', 'guest')]
  await ann.patch('/settings', { email_address_visibility: 3 })
  for (const viewer of [owner, bob, ann, gus, owner, gus, ann, bob]) {
    const maySee = viewer === owner || viewer === ann
    const hidden = `user${ann.id}@test.local`
    expect((await seenBy(viewer)).get(ann.id)).toMatchObject({
      delivery_email: maySee ? ann.email : null,
      email: hidden,
    })
  }
})

test('what changes about a user is there at once', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const seen = async () => (await seenBy(bob)).get(ann.id)
  expect(await seen()).toMatchObject({ full_name: 'Ann', profile_data: {} })
  await ann.patch('/settings', { full_name: 'Anna' })
  expect(await seen()).toMatchObject({ full_name: 'Anna', profile_data: {} })
  const { id } = await owner.post('/realm/profile_fields', { name: 'Team', field_type: 1 })
  await ann.patch('/users/me/profile_data', { data: [{ id, value: 'Red' }] })
  expect(await seen()).toMatchObject({ profile_data: { [id]: { value: 'Red' } } })
  await ann.patch('/users/me/profile_data', { data: [{ id, value: 'Blue' }] })
  expect(await seen()).toMatchObject({ profile_data: { [id]: { value: 'Blue' } } })
  const { members } = await bob.get('/users')
  expect(members.find((user: Body) => user['user_id'] === ann.id)).not.toHaveProperty('profile_data')
  await owner.delete(`/users/${ann.id}`)
  expect(await seen()).toMatchObject({ is_active: false })
})

test('pictures by the address that the client uses, and null for who draws them', async () => {
  const server = await boot()
  const ann = await server.as('ann')
  const bob = await server.as('bob')
  const here = new URL(server.url).host
  for (const client_extavatar of [false, true, false]) {
    const user = (await seenBy(bob, { client_extavatar })).get(ann.id)
    if (client_extavatar) expect(user).toMatchObject({ avatar_url: null })
    else expect(user?.['avatar_url']).toContain(`http://${here}/r/test/avatar/`)
  }
})

test('guests with a limited view know nobody by what others were sent', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.as('ann')
  const gus = await server.as('gus', 'guest')
  await seenBy(owner)
  const groups = (await owner.get('/user_groups'))['user_groups'] as { id: number; name: string }[]
  const members = groups.find(({ name }) => name === 'role:members')?.id
  await owner.patch('/realm', { can_access_all_users_group: { new: members } })
  expect((await seenBy(gus)).get(ann.id)).toMatchObject({ full_name: 'Unknown user', delivery_email: null })
  expect((await seenBy(owner)).get(ann.id)).toMatchObject({ full_name: 'Ann' })
  const without = await seenBy(gus, { client_capabilities: { user_list_incomplete: true } })
  expect(without.has(ann.id)).toBe(false)
})
