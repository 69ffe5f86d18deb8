import { describe, expect, test } from 'vitest'
import { boot, type Person } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

const options = { a: { text: 'Apples', order: '1' }, b: { text: 'Pears', order: '2' } }
const account = { subtype: 'custom', url_pattern: 'https://code.example/%(username)s' }

const add = async (person: Person, fields: object): Promise<number> =>
  (await person.post('/realm/profile_fields', { name: 'Field', field_type: 1, ...fields }))['id']

describe('fields', () => {
  test('are made, changed, put in order and removed by administrators, and everybody hears of it', async () => {
    const server = await boot()
    const owner = await server.owner()
    const gus = await server.listenAs('gus', 'guest')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    const first = await add(owner, { name: 'Title', hint: 'In short', display_in_profile_summary: true })
    const second = await add(owner, { name: 'Fruit', field_type: 3, field_data: options, required: true })
    const { custom_fields } = await gus.get('/realm/profile_fields')
    expect(custom_fields).toEqual([
      {
        id: first,
        type: 1,
        order: 1,
        name: 'Title',
        hint: 'In short',
        field_data: '',
        display_in_profile_summary: true,
        required: false,
        editable_by_user: true,
      },
      {
        id: second,
        type: 3,
        order: 2,
        name: 'Fruit',
        hint: '',
        field_data: JSON.stringify(options),
        required: true,
        editable_by_user: true,
      },
    ])
    expect((await gus.events()).at(-1)).toMatchObject({
      type: 'custom_profile_fields',
      fields: custom_fields,
    })
    await owner.patch('/realm/profile_fields', { order: [second, first] })
    await owner.patch(`/realm/profile_fields/${first}`, { name: 'Job', display_in_profile_summary: false })
    await owner.delete(`/realm/profile_fields/${second}`)
    const [, , last] = await gus.events()
    expect(last!['fields']).toMatchObject([{ id: first, name: 'Job', order: 2 }])
    expect(last!['fields'][0]).not.toHaveProperty('display_in_profile_summary')
    expect(await stranger.events()).toEqual([])
    const snapshot = await gus.listen({ fetch_event_types: ['custom_profile_fields'] })
    expect(snapshot['custom_profile_fields']).toEqual(last!['fields'])
    expect(snapshot['custom_profile_field_types']['SHORT_TEXT']).toEqual({ id: 1, name: expect.any(String) })
  })

  test.each(['moderator', 'member', 'guest'] as const)('are closed to a %s', async (role) => {
    const server = await boot()
    const owner = await server.owner()
    const id = await add(owner, {})
    const ann = await server.as('ann', role)
    await ann.refused('POST', '/realm/profile_fields', { name: 'X', field_type: 1 }, 'BAD_REQUEST')
    await ann.refused('PATCH', '/realm/profile_fields', { order: [id] }, 'BAD_REQUEST')
    await ann.refused('PATCH', `/realm/profile_fields/${id}`, { name: 'X' }, 'BAD_REQUEST')
    await ann.refused('DELETE', `/realm/profile_fields/${id}`, {}, 'BAD_REQUEST')
  })

  test.each([
    ['no name', { name: '' }],
    ['a name that is taken', { name: 'FIELD' }],
    ['a long name', { name: 'x'.repeat(41) }],
    ['a long hint', { hint: 'x'.repeat(81) }],
    ['an unknown type', { field_type: 9 }],
    ['no options', { field_type: 3, field_data: {} }],
    ['options without a text', { field_type: 3, field_data: { a: { order: '1' } } }],
    ['the same option twice', { field_type: 3, field_data: { a: options.a, b: options.a } }],
    [
      'an account without a place for the name',
      { field_type: 7, field_data: { ...account, url_pattern: 'https://x.y' } },
    ],
    ['an account without data', { field_type: 7 }],
    ['an account of a service that is not known', { field_type: 7, field_data: { subtype: 'toString' } }],
    ['a known service at another address', { field_type: 7, field_data: { ...account, subtype: 'github' } }],
    ['a long text in the summary', { field_type: 2, display_in_profile_summary: true }],
    ['people in the summary', { field_type: 6, display_in_profile_summary: true }],
  ])('refuse %s', async (_what, wrong) => {
    const owner = await (await boot()).owner()
    await add(owner, {})
    await owner.refused(
      'POST',
      '/realm/profile_fields',
      { name: 'Other', field_type: 1, ...wrong },
      'BAD_REQUEST',
    )
    expect((await owner.get('/realm/profile_fields'))['custom_fields']).toHaveLength(1)
  })

  test('for accounts of a known service need nothing but its name', async () => {
    const owner = await (await boot()).owner()
    const { realm_default_external_accounts: known } = await owner.listen({ fetch_event_types: ['realm'] })
    expect(known.github).toEqual({
      text: 'GitHub',
      name: 'GitHub username',
      hint: '',
      url_pattern: 'https://github.com/%(username)s',
    })
    expect(Object.keys(known)).toEqual(expect.arrayContaining(['twitter', 'github', 'mastodon']))
    for (const { url_pattern } of Object.values<{ url_pattern: string }>(known)) {
      expect(URL.canParse(url_pattern.replace('%(username)s', 'x'))).toBe(true)
    }
    const field_data = { subtype: 'mastodon' }
    const id = await add(owner, { name: undefined, field_type: 7, field_data })
    await add(owner, { name: 'Code', hint: 'At work', field_type: 7, field_data: { subtype: 'github' } })
    expect((await owner.get('/realm/profile_fields'))['custom_fields']).toMatchObject([
      { name: known.mastodon.name, hint: known.mastodon.hint, field_data: JSON.stringify(field_data) },
      { name: 'Code', hint: 'At work', field_data: '{"subtype":"github"}' },
    ])
    await owner.patch(`/realm/profile_fields/${id}`, { field_data: account })
    await owner.refused(
      'PATCH',
      `/realm/profile_fields/${id}`,
      { field_data: { subtype: 'x' } },
      'BAD_REQUEST',
    )
    await owner.patch('/users/me/profile_data', { data: [{ id, value: 'ann' }] })
  })

  test('at most two stand in the summary', async () => {
    const owner = await (await boot()).owner()
    const shown = { display_in_profile_summary: true }
    const first = await add(owner, { name: 'One', ...shown })
    await add(owner, { name: 'Two', ...shown })
    const third = await add(owner, { name: 'Three' })
    await owner.refused('PATCH', `/realm/profile_fields/${third}`, shown, 'BAD_REQUEST')
    await owner.patch(`/realm/profile_fields/${first}`, shown)
    await owner.refused('PATCH', '/realm/profile_fields', { order: [first, third] }, 'BAD_REQUEST')
    await owner.refused('PATCH', '/realm/profile_fields', { order: [first, first, third] }, 'BAD_REQUEST')
  })
})

describe('values', () => {
  test('of every type, by their owner, reach everybody and nobody else', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const gus = await server.as('gus', 'guest')
    const short = await add(owner, { name: '1' })
    const long = await add(owner, { name: '2', field_type: 2 })
    const select = await add(owner, { name: '3', field_type: 3, field_data: options })
    const date = await add(owner, { name: '4', field_type: 4 })
    const link = await add(owner, { name: '5', field_type: 5 })
    const users = await add(owner, { name: '6', field_type: 6 })
    const code = await add(owner, { name: '7', field_type: 7, field_data: account })
    const pronouns = await add(owner, { name: '8', field_type: 8 })
    await gus.listen()
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    const values: [number, unknown][] = [
      [short, '*Cook*'],
      [long, 'I **cook**.'],
      [select, 'a'],
      [date, '1990-02-28'],
      [link, 'https://ann.example/'],
      [users, [gus.id]],
      [code, 'ann'],
      [pronouns, 'she/her'],
    ]
    await expectConverges(gus, () =>
      ann.patch('/users/me/profile_data', { data: values.map(([id, value]) => ({ id, value })) }),
    )
    const { user } = await gus.get(`/users/${ann.id}`, { include_custom_profile_fields: true })
    expect(user.profile_data).toMatchObject({
      [short]: { value: '*Cook*', rendered_value: '<p><em>Cook</em></p>' },
      [long]: { value: 'I **cook**.', rendered_value: expect.stringContaining('<strong>') },
      [select]: { value: 'a' },
      [users]: { value: `[${gus.id}]` },
      [pronouns]: { value: 'she/her' },
    })
    expect(user.profile_data[date]).toEqual({ value: '1990-02-28' })
    expect(await stranger.events()).toEqual([])
    await expectConverges(gus, () => ann.delete('/users/me/profile_data', { data: [short, select] }))
    // An option that is gone was chosen by nobody.
    await ann.patch('/users/me/profile_data', { data: [{ id: select, value: 'a' }] })
    await expectConverges(gus, () =>
      owner.patch(`/realm/profile_fields/${select}`, { field_data: { b: options.b } }),
    )
    const after = await gus.get(`/users/${ann.id}`, { include_custom_profile_fields: true })
    expect(after['user'].profile_data).not.toHaveProperty(String(select))
  })

  test.each([
    [1, 'x'.repeat(51)],
    [2, 'x'.repeat(501)],
    [3, 'c'],
    [3, 'toString'],
    [4, '1990-02-30'],
    [4, 'yesterday'],
    [5, 'javascript:alert(1)'],
    [5, 'nowhere'],
    [6, '[4711]'],
    [6, 'ann'],
    [7, ['x']],
    [8, 'x'.repeat(51)],
  ])('of type %i cannot be %j', async (field_type, value) => {
    const server = await boot()
    const owner = await server.owner()
    const field_data = field_type === 3 ? options : field_type === 7 ? account : {}
    const id = await add(owner, { field_type, field_data })
    await owner.listen()
    await owner.refused('PATCH', '/users/me/profile_data', { data: [{ id, value }] }, 'BAD_REQUEST')
    await owner.refused(
      'PATCH',
      '/users/me/profile_data',
      { data: [{ id: 4711, value: 'x' }] },
      'BAD_REQUEST',
    )
    expect(await owner.events()).toEqual([])
  })

  test('a field that users may not edit is written by administrators', async () => {
    const server = await boot()
    const owner = await server.owner()
    const id = await add(owner, { editable_by_user: false })
    const ann = await server.as('ann')
    await ann.refused('PATCH', '/users/me/profile_data', { data: [{ id, value: 'Chief' }] }, 'BAD_REQUEST')
    await owner.patch(`/users/${ann.id}`, { profile_data: [{ id, value: 'Cook' }] })
    await ann.refused('DELETE', '/users/me/profile_data', { data: [id] }, 'BAD_REQUEST')
    await ann.patch('/users/me/profile_data', { data: [{ id, value: 'Cook' }] })
    await owner.patch('/users/me/profile_data', { data: [{ id, value: 'Owner' }] })
    expect((await ann.get('/users/me'))['profile_data']).toMatchObject({ [id]: { value: 'Cook' } })
  })
})
