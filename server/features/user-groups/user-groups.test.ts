import { describe, expect, test } from 'vitest'
import { boot, type Params, type Person, type TestServer } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'
import { tellFullMembers } from './full-members.ts'

type GroupReply = { id: number; name: string; members: number[]; [field: string]: any }

const groups = async (person: Person, params: Params = {}): Promise<GroupReply[]> =>
  (await person.get('/user_groups', params))['user_groups']

const named = async (person: Person, name: string): Promise<GroupReply> => {
  const group = (await groups(person, { include_deactivated_groups: true })).find((one) => one.name === name)
  if (!group) throw new Error(`No group ${name}`)
  return group
}

const create = async (person: Person, name: string, members: Person[] = [], more: Params = {}) =>
  (
    await person.post('/user_groups/create', {
      name,
      description: `The ${name}`,
      members: members.map(({ id }) => id),
      ...more,
    })
  )['group_id'] as number

const only = (...people: Person[]) => ({ direct_members: people.map(({ id }) => id), direct_subgroups: [] })

async function office(server: TestServer) {
  return {
    owner: await server.owner(),
    admin: await server.as('adam', 'administrator'),
    moderator: await server.as('mo', 'moderator'),
    ann: await server.as('ann'),
    bob: await server.as('bob'),
    gus: await server.as('gus', 'guest'),
  }
}

describe('system groups', () => {
  test('list people by role, each nested in the next wider one', async () => {
    const server = await boot()
    const { owner, admin, moderator, ann, bob, gus } = await office(server)
    const all = await groups(ann)
    expect(all.map(({ name, members }) => [name, members])).toEqual([
      ['role:internet', []],
      ['role:everyone', [gus.id]],
      ['role:members', [ann.id, bob.id]],
      ['role:fullmembers', [ann.id, bob.id]],
      ['role:moderators', [moderator.id]],
      ['role:administrators', [admin.id]],
      ['role:owners', [owner.id]],
      ['role:nobody', []],
    ])
    const id = Object.fromEntries(all.map((group) => [group.name, group.id]))
    expect(all[2]).toMatchObject({ is_system_group: true, direct_subgroup_ids: [id['role:fullmembers']] })
    expect(await ann.get(`/user_groups/${id['role:everyone']}/members`)).toMatchObject({
      members: [owner.id, admin.id, moderator.id, ann.id, bob.id, gus.id].sort((a, b) => a - b),
    })
    expect(await ann.get(`/user_groups/${id['role:moderators']}/members`)).toMatchObject({
      members: [owner.id, admin.id, moderator.id],
    })
    expect(
      await ann.get(`/user_groups/${id['role:moderators']}/members`, { direct_member_only: true }),
    ).toMatchObject({ members: [moderator.id] })
    const isMember = async (group: string, user: Person, params = {}) =>
      (await gus.get(`/user_groups/${id[group]}/members/${user.id}`, params))['is_user_group_member']
    expect(await isMember('role:members', admin)).toBe(true)
    expect(await isMember('role:members', admin, { direct_member_only: true })).toBe(false)
    expect(await isMember('role:members', gus)).toBe(false)
    expect(await isMember('role:nobody', owner)).toBe(false)
    expect(await ann.get(`/user_groups/${id['role:moderators']}/subgroups`)).toMatchObject({
      subgroups: [id['role:administrators'], id['role:owners']],
    })
    expect(
      await ann.get(`/user_groups/${id['role:moderators']}/subgroups`, { direct_subgroup_only: true }),
    ).toMatchObject({ subgroups: [id['role:administrators']] })
  })

  test('cannot be changed, not even by owners', async () => {
    const server = await boot()
    const { owner, ann } = await office(server)
    const { id } = await named(owner, 'role:moderators')
    const refused = (path: string, params: Params, method = 'POST') =>
      owner.refused(method, `/user_groups/${id}${path}`, params, 'BAD_REQUEST')
    await refused('', { name: 'chiefs' }, 'PATCH')
    await refused('', { can_mention_group: { new: id } }, 'PATCH')
    await refused('/deactivate', {})
    await refused('/members', { add: [ann.id] })
    await refused('/members', { delete: [owner.id] })
    await refused('/subgroups', { add: [(await named(owner, 'role:members')).id] })
  })

  test('a new role, a new user and a return are told to everybody', async () => {
    const server = await boot()
    const { owner, ann, bob } = await office(server)
    const gus = await server.listenAs('gus', 'guest', { event_types: ['user_group'] })
    const stranger = await server.listenAs('zoe', 'member', { event_types: ['user_group'] }, 'other')
    const id = Object.fromEntries((await groups(ann)).map((group) => [group.name, group.id]))
    await owner.patch(`/users/${ann.id}`, { role: 300 })
    const members = (op: string, group: string, user: Person) => ({
      type: 'user_group',
      op: `${op}_members`,
      group_id: id[group],
      user_ids: [user.id],
    })
    expect(await gus.events()).toMatchObject([
      members('remove', 'role:members', ann),
      members('remove', 'role:fullmembers', ann),
      members('add', 'role:moderators', ann),
    ])
    const eve = await server.as('eve')
    expect(await gus.events()).toMatchObject([
      members('add', 'role:members', eve),
      members('add', 'role:fullmembers', eve),
    ])
    await owner.delete(`/users/${bob.id}`)
    // Clients drop a deactivated user from all groups by themselves.
    expect(await gus.events()).toEqual([])
    await owner.post(`/users/${bob.id}/reactivate`)
    expect(await gus.events()).toMatchObject([
      members('add', 'role:members', bob),
      members('add', 'role:fullmembers', bob),
    ])
    expect(await stranger.events()).toEqual([])
  })
})

describe('creating', () => {
  test('everybody hears; the creator manages it', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    const gus = await server.listenAs('gus', 'guest', { event_types: ['user_group'] })
    const stranger = await server.listenAs('zoe', 'member', { event_types: ['user_group'] }, 'other')
    const inner = await create(ann, 'inner')
    const id = await create(ann, ' Backend  ', [bob, bob], { subgroups: [inner], can_join_group: only(bob) })
    const everyone = (await named(ann, 'role:everyone')).id
    const nobody = (await named(ann, 'role:nobody')).id
    const group = {
      id,
      name: 'Backend',
      description: 'The  Backend',
      creator_id: ann.id,
      is_system_group: false,
      deactivated: false,
      members: [bob.id],
      direct_subgroup_ids: [inner],
      can_add_members_group: only(ann),
      can_join_group: only(bob),
      can_leave_group: everyone,
      can_manage_group: only(ann),
      can_mention_group: everyone,
      can_remove_members_group: nobody,
    }
    expect((await gus.events())[1]).toMatchObject({ type: 'user_group', op: 'add', group })
    expect(await named(bob, 'Backend')).toMatchObject(group)
    expect(await stranger.events()).toEqual([])
  })

  test('who may: not guests, and whom the organization lets', async () => {
    const server = await boot()
    const { ann, gus } = await office(server)
    await gus.refused(
      'POST',
      '/user_groups/create',
      { name: 'a', description: '', members: [] },
      'BAD_REQUEST',
    )
    await gus.refused('GET', '/user_groups', {}, 'BAD_REQUEST')
    await create(ann, 'fine')
  })

  test('what is refused changes nothing', async () => {
    const server = await boot()
    const { ann, bob, owner } = await office(server)
    await owner.delete(`/users/${bob.id}`)
    await create(ann, 'taken')
    const stranger = await server.as('zoe', 'member', 'other')
    const before = await groups(ann)
    const refused = (params: Params, code = 'BAD_REQUEST') =>
      ann.refused(
        'POST',
        '/user_groups/create',
        { name: 'new', description: '', members: [], ...params },
        code,
      )
    for (const name of [
      '',
      '  ',
      'TAKEN',
      '@all',
      'role:kings',
      'user:1',
      'stream:1',
      'channel:1',
      'x'.repeat(101),
    ])
      await refused({ name })
    await refused({ members: [bob.id] })
    await refused({ members: [stranger.id] })
    await refused({ members: [99_999] })
    await refused({ members: 'ann' })
    await refused({ subgroups: [99_999] })
    await refused({ can_manage_group: (await named(ann, 'role:everyone')).id })
    await refused({ can_manage_group: (await named(ann, 'role:internet')).id })
    await refused({ can_mention_group: (await named(ann, 'role:owners')).id })
    await refused({ can_mention_group: (await named(ann, 'role:internet')).id })
    await refused({ can_join_group: only(bob) })
    await refused({ can_join_group: { direct_members: [], direct_subgroups: [99_999] } })
    await ann.refused('POST', '/user_groups/create', { name: 'x', members: [] }, 'REQUEST_VARIABLE_MISSING')
    expect(await groups(ann)).toEqual(before)
    expect((await named(ann, 'taken')).name).toBe('taken')
  })
})

describe('changing', () => {
  test('only what changed is told, to everybody', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    const id = await create(ann, 'crew')
    const gus = await server.listenAs('gus', 'guest', { event_types: ['user_group'] })
    await ann.patch(`/user_groups/${id}`, { name: 'team', description: 'The crew' })
    expect(await gus.events()).toMatchObject([{ op: 'update', group_id: id, data: { name: 'team' } }])
    await ann.patch(`/user_groups/${id}`, { can_mention_group: { new: only(bob) } })
    const [event] = await gus.events()
    expect(event?.['data']).toEqual({ can_mention_group: only(bob) })
    await ann.patch(`/user_groups/${id}`, { name: 'TEAM' })
    expect(await gus.events()).toMatchObject([{ data: { name: 'TEAM' } }])
    await ann.patch(`/user_groups/${id}`, {})
    expect(await gus.events()).toEqual([])
  })

  test('a stale `old` changes nothing; a true one in any order does', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    const id = await create(ann, 'crew')
    const everyone = (await named(ann, 'role:everyone')).id
    const members = (await named(ann, 'role:members')).id
    const patch = { can_mention_group: { new: members, old: members }, name: 'other' }
    await ann.refused('PATCH', `/user_groups/${id}`, patch, 'BAD_REQUEST')
    expect(await named(ann, 'crew')).toMatchObject({ can_mention_group: everyone })
    await ann.patch(`/user_groups/${id}`, { can_mention_group: { new: only(bob, ann), old: everyone } })
    const old = { direct_members: [ann.id, bob.id], direct_subgroups: [] }
    expect((await named(ann, 'crew'))['can_mention_group']).toEqual(old)
    const anonymous = { direct_members: [], direct_subgroups: [members] }
    await ann.patch(`/user_groups/${id}`, {
      can_mention_group: { new: anonymous, old: { ...old, direct_members: [bob.id, ann.id] } },
    })
    expect((await named(ann, 'crew'))['can_mention_group']).toBe(members)
  })

  test('who may: managers of the group and of all groups', async () => {
    const server = await boot()
    const { owner, admin, ann, bob, gus } = await office(server)
    const id = await create(ann, 'crew', [bob])
    await bob.refused('PATCH', `/user_groups/${id}`, { name: 'mine' }, 'BAD_REQUEST')
    await admin.refused('PATCH', `/user_groups/${id}`, { name: 'mine' }, 'BAD_REQUEST')
    await owner.patch(`/user_groups/${id}`, { name: 'ours' })
    await ann.patch(`/user_groups/${id}`, { can_manage_group: { new: id } })
    await bob.patch(`/user_groups/${id}`, { name: 'theirs' })
    await ann.refused('PATCH', `/user_groups/${id}`, { name: 'mine' }, 'BAD_REQUEST')
    await owner.patch(`/user_groups/${id}`, { can_manage_group: { new: only(gus) } })
    // Nothing makes a guest a manager: everyone may not be one either.
    await gus.refused('PATCH', `/user_groups/${id}`, { name: 'mine' }, 'BAD_REQUEST')
    await bob.refused('PATCH', '/user_groups/99999', { name: 'mine' }, 'BAD_REQUEST')
    await bob.refused('PATCH', '/user_groups/word', { name: 'mine' }, 'BAD_REQUEST')
  })

  test('a deactivated user is in no value, and back in it when reactivated', async () => {
    const server = await boot()
    const { owner, ann, bob } = await office(server)
    const id = await create(ann, 'crew', [bob], { can_mention_group: only(ann, bob) })
    await expectConverges(ann, () => owner.delete(`/users/${bob.id}`))
    expect(await named(ann, 'crew')).toMatchObject({ members: [], can_mention_group: only(ann) })
    expect(await ann.get(`/user_groups/${id}/members/${bob.id}`)).toMatchObject({
      is_user_group_member: false,
    })
    await ann.refused('PATCH', `/user_groups/${id}`, { can_join_group: { new: only(bob) } }, 'BAD_REQUEST')
    await expectConverges(ann, () => owner.post(`/users/${bob.id}/reactivate`))
    expect(await named(ann, 'crew')).toMatchObject({ members: [bob.id], can_mention_group: only(ann, bob) })
  })
})

describe('members', () => {
  test('adding and removing', async () => {
    const server = await boot()
    const { ann, bob, gus } = await office(server)
    const id = await create(ann, 'crew')
    const listener = await server.listenAs('lee', 'member', { event_types: ['user_group'] })
    await ann.post(`/user_groups/${id}/members`, { add: [bob.id, gus.id] })
    expect(await listener.events()).toMatchObject([
      { op: 'add_members', group_id: id, user_ids: [bob.id, gus.id] },
    ])
    await ann.refused('POST', `/user_groups/${id}/members`, { add: [ann.id, bob.id] }, 'BAD_REQUEST')
    await ann.refused('POST', `/user_groups/${id}/members`, { delete: [ann.id] }, 'BAD_REQUEST')
    await ann.refused(
      'POST',
      `/user_groups/${id}/members`,
      { add: [ann.id], delete: [ann.id, 99] },
      'BAD_REQUEST',
    )
    await ann.refused('POST', `/user_groups/${id}/members`, {}, 'BAD_REQUEST')
    await ann.refused('POST', '/user_groups/99999/members', { add: [ann.id] }, 'BAD_REQUEST')
    expect(await listener.events()).toEqual([])
    expect(await bob.get(`/user_groups/${id}/members`)).toMatchObject({ members: [bob.id, gus.id] })
    await ann.post(`/user_groups/${id}/members`, { add: [ann.id], delete: [bob.id] })
    expect(await listener.events()).toMatchObject([
      { op: 'add_members', user_ids: [ann.id] },
      { op: 'remove_members', user_ids: [bob.id] },
    ])
  })

  test('who may add, join, leave and remove', async () => {
    const server = await boot()
    const { ann, bob, gus, moderator } = await office(server)
    const id = await create(ann, 'crew', [gus])
    const members = `/user_groups/${id}/members`
    const allow = (setting: string, ...people: Person[]) =>
      ann.patch(`/user_groups/${id}`, { [setting]: { new: only(...people) } })
    await bob.refused('POST', members, { add: [bob.id] }, 'BAD_REQUEST')
    await allow('can_join_group', bob)
    await bob.refused('POST', members, { add: [bob.id, moderator.id] }, 'BAD_REQUEST')
    await bob.post(members, { add: [bob.id] })
    await bob.refused('POST', members, { add: [moderator.id] }, 'BAD_REQUEST')
    await allow('can_add_members_group', bob)
    await bob.post(members, { add: [moderator.id] })
    await bob.refused('POST', members, { delete: [moderator.id] }, 'BAD_REQUEST')
    await gus.post(members, { delete: [gus.id] })
    await allow('can_leave_group')
    await moderator.refused('POST', members, { delete: [moderator.id] }, 'BAD_REQUEST')
    await allow('can_remove_members_group', bob)
    await bob.post(members, { delete: [moderator.id, bob.id] })
    await ann.post(members, { add: [bob.id] })
    // Joining does not grant what the same request takes.
    await allow('can_remove_members_group')
    await bob.refused('POST', members, { add: [moderator.id], delete: [bob.id] }, 'BAD_REQUEST')
    expect(await ann.get(members)).toMatchObject({ members: [bob.id] })
  })

  test('subgroups: members of members, and no circles', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    const inner = await create(ann, 'inner', [bob])
    const middle = await create(ann, 'middle', [], { subgroups: [inner] })
    const outer = await create(ann, 'outer', [ann])
    const listener = await server.listenAs('lee', 'member', { event_types: ['user_group'] })
    await ann.post(`/user_groups/${outer}/subgroups`, { add: [middle] })
    expect(await listener.events()).toMatchObject([
      { op: 'add_subgroups', group_id: outer, direct_subgroup_ids: [middle] },
    ])
    expect(await ann.get(`/user_groups/${outer}/members`)).toMatchObject({ members: [ann.id, bob.id] })
    expect(await ann.get(`/user_groups/${outer}/subgroups`)).toMatchObject({ subgroups: [inner, middle] })
    for (const id of [inner, middle, outer])
      await ann.refused('POST', `/user_groups/${inner}/subgroups`, { add: [id] }, 'BAD_REQUEST')
    await ann.refused('POST', `/user_groups/${inner}/members`, { add_subgroups: [outer] }, 'BAD_REQUEST')
    await ann.refused('POST', `/user_groups/${outer}/subgroups`, { add: [middle] }, 'BAD_REQUEST')
    await ann.refused('POST', `/user_groups/${outer}/subgroups`, { delete: [inner] }, 'BAD_REQUEST')
    await ann.refused('POST', `/user_groups/${outer}/subgroups`, {}, 'BAD_REQUEST')
    await bob.refused('POST', `/user_groups/${outer}/subgroups`, { delete: [middle] }, 'BAD_REQUEST')
    expect(await listener.events()).toEqual([])
    await ann.post(`/user_groups/${outer}/members`, { delete_subgroups: [middle], add_subgroups: [inner] })
    expect(await listener.events()).toMatchObject([
      { op: 'add_subgroups', direct_subgroup_ids: [inner] },
      { op: 'remove_subgroups', direct_subgroup_ids: [middle] },
    ])
    expect(await ann.get(`/user_groups/${outer}/subgroups`)).toMatchObject({ subgroups: [inner] })
  })
})

describe('deactivating', () => {
  test('it is told, and the group can be used for nothing more', async () => {
    const server = await boot()
    const { ann, bob } = await office(server)
    const id = await create(ann, 'crew', [bob])
    const other = await create(ann, 'other')
    const knowing = await server.listenAs('kim', 'member', { event_types: ['user_group'] })
    const old = await server.listenAs('old', 'member', {
      event_types: ['user_group'],
      client_capabilities: {},
    })
    await knowing.events()
    await bob.refused('POST', `/user_groups/${id}/deactivate`, {}, 'BAD_REQUEST')
    await ann.post(`/user_groups/${id}/deactivate`)
    expect(await knowing.events()).toMatchObject([
      { op: 'update', group_id: id, data: { deactivated: true } },
    ])
    expect(await old.events()).toMatchObject([{ op: 'remove', group_id: id }])
    expect((await groups(ann)).map(({ name }) => name)).not.toContain('crew')
    expect(await named(ann, 'crew')).toMatchObject({ deactivated: true, members: [bob.id] })
    const register = { fetch_event_types: ['realm_user_groups'] }
    const known = await bob.post('/register', {
      ...register,
      client_capabilities: { include_deactivated_groups: true },
    })
    expect(known['realm_user_groups']).toHaveLength(10)
    expect((await bob.post('/register', register))['realm_user_groups']).toHaveLength(9)

    const refused = (path: string, params: Params, method = 'POST') =>
      ann.refused(method, path, params, 'BAD_REQUEST')
    await refused(`/user_groups/${id}/deactivate`, {})
    await refused(`/user_groups/${id}/members`, { add: [ann.id] })
    await refused(`/user_groups/${id}/subgroups`, { add: [other] })
    await refused(`/user_groups/${other}/subgroups`, { add: [id] })
    await refused(`/user_groups/${other}`, { can_join_group: { new: id } }, 'PATCH')
    await refused('/user_groups/create', { name: 'x', description: '', members: [], subgroups: [id] })
    // Its settings can still be edited.
    await ann.patch(`/user_groups/${id}`, { description: 'Gone' })
    expect(await knowing.events()).toMatchObject([{ op: 'update', data: { description: 'Gone' } }])
    expect(await old.events()).toEqual([])
  })

  test('not while something needs it: the reply says what', async () => {
    const server = await boot()
    const { owner, ann } = await office(server)
    const id = await create(ann, 'crew')
    const outer = await create(ann, 'outer', [], { subgroups: [id], can_join_group: id })
    await ann.join('lobby', { can_send_message_group: id })
    const channel = (await ann.get('/streams'))['streams'][0].stream_id
    const deactivate = () =>
      owner.refused('POST', `/user_groups/${id}/deactivate`, {}, 'CANNOT_DEACTIVATE_GROUP_IN_USE')
    expect((await deactivate())['objections']).toEqual([
      { type: 'subgroup', supergroup_ids: [outer] },
      { type: 'channel', channel_id: channel, settings: ['can_send_message_group'] },
      { type: 'user_group', group_id: outer, settings: ['can_join_group'] },
    ])
    await ann.post(`/user_groups/${outer}/deactivate`)
    expect((await deactivate())['objections']).toMatchObject([{ type: 'channel' }])
    await owner.delete(`/streams/${channel}`)
    await ann.post(`/user_groups/${id}/deactivate`)
  })
})

test('a snapshot with the events since is a fresh one', async () => {
  const server = await boot()
  const { owner, ann, bob, gus } = await office(server)
  for (const reader of [ann, gus]) {
    await expectConverges(reader, async () => {
      const inner = await create(ann, `inner of ${reader.id}`, [bob])
      const id = await create(ann, `crew of ${reader.id}`, [bob, gus], { can_join_group: only(bob) })
      await ann.post(`/user_groups/${id}/members`, {
        add: [ann.id],
        delete: [gus.id],
        add_subgroups: [inner],
      })
      await ann.post(`/user_groups/${id}/subgroups`, { delete: [inner] })
      await ann.patch(`/user_groups/${id}`, { name: `team of ${reader.id}`, can_join_group: { new: inner } })
      await owner.patch(`/users/${bob.id}`, { role: reader === ann ? 300 : 400 })
      await ann.patch(`/user_groups/${id}`, { can_join_group: { new: only(bob) } })
      await owner.delete(`/users/${bob.id}`)
      await ann.post(`/user_groups/${inner}/deactivate`)
      await owner.post('/users', {
        email: `e${reader.id}@test.example`,
        full_name: 'Eve',
        password: 'abcdefg1',
      })
      await owner.post(`/users/${bob.id}/reactivate`)
    })
  }
})

test('what is kept in memory is what the database says, after a refusal and after a restart', async () => {
  const server = await boot()
  const { ann, bob } = await office(server)
  const id = await create(ann, 'crew')
  // The first half of this is done and taken back with the second.
  await ann.refused('POST', `/user_groups/${id}/members`, { add: [bob.id], delete: [99_999] }, 'BAD_REQUEST')
  expect(await ann.get(`/user_groups/${id}/members/${bob.id}`)).toMatchObject({ is_user_group_member: false })
  await ann.post(`/user_groups/${id}/members`, { add: [bob.id] })
  expect(await ann.get(`/user_groups/${id}/members/${bob.id}`)).toMatchObject({ is_user_group_member: true })
})

test('members become full members when their waiting period is over, of which everybody hears', async () => {
  let now = Date.now()
  const server = await boot({}, { now: () => now })
  const realm = server.realm('test')
  const settings = { ...realm.settings, waiting_period_threshold: 3 }
  server.running.server.database.run('UPDATE realms SET settings = ? WHERE id = ?', [
    JSON.stringify(settings),
    realm.id,
  ])
  const owner = await server.owner()
  const gus = await server.listenAs('gus', 'guest', { event_types: ['user_group'] })
  await owner.post('/users', { email: 'ann@test.example', full_name: 'Ann', password: 'abcdefg1' })
  const ann = await server.as('ann')
  const members = (await named(ann, 'role:members')).id
  const full = (await named(ann, 'role:fullmembers')).id
  expect(await gus.events()).toMatchObject([{ op: 'add_members', group_id: members, user_ids: [ann.id] }])
  expect(await named(ann, 'role:fullmembers')).toMatchObject({ members: [] })
  const since = Math.floor(now / 1000)
  now += 3 * 86_400_000
  const until = Math.floor(now / 1000)
  tellFullMembers(server.running.server, since, until)
  tellFullMembers(server.running.server, until, until + 60)
  expect(await gus.events()).toMatchObject([{ op: 'add_members', group_id: full, user_ids: [ann.id] }])
  expect(await named(ann, 'role:fullmembers')).toMatchObject({ members: [ann.id] })
})

test('private channels open to full members by time alone, and by a shorter waiting period', async () => {
  let now = Date.now()
  const server = await boot({}, { now: () => now })
  const owner = await server.owner()
  await owner.patch('/realm', { waiting_period_threshold: 3 })
  await owner.post('/users', { email: 'ann@test.example', full_name: 'Ann', password: 'abcdefg1' })
  const full = (await named(owner, 'role:fullmembers')).id
  await owner.join('elders', { invite_only: true, can_subscribe_group: full })
  await owner.join('secret', { invite_only: true })
  const ann = await server.listenAs('ann', 'member', { event_types: ['stream', 'subscription'] })
  const gus = await server.listenAs('gus', 'guest', { event_types: ['stream', 'subscription'] })
  const since = Math.floor(now / 1000)
  now += 3 * 86_400_000
  tellFullMembers(server.running.server, since, Math.floor(now / 1000))
  const shown = [
    { type: 'stream', op: 'create', streams: [{ name: 'elders' }] },
    { type: 'subscription', op: 'peer_add', user_ids: [owner.id] },
  ]
  expect(await ann.events()).toMatchObject(shown)
  await ann.listen({ event_types: ['stream', 'subscription', 'user_group'] })
  await owner.patch('/realm', { waiting_period_threshold: 10 })
  const [left, hidden, ...none] = await ann.events()
  expect(left).toMatchObject({ type: 'user_group', op: 'remove_members', group_id: full })
  expect([hidden, none]).toMatchObject([{ type: 'stream', op: 'delete' }, []])
  await expectConverges(ann, () => owner.patch('/realm', { waiting_period_threshold: 2 }))
  expect(await gus.events()).toEqual([])
})
