import { describe, expect, test } from 'vitest'
import { boot } from '../../test/boot.ts'
import { expectConverges } from '../../test/converges.ts'

describe('PATCH /settings', () => {
  test('reaches the clients of its user, older ones in their form too', async () => {
    const server = await boot()
    const ann = await server.listenAs('ann', 'member', {
      client_capabilities: { user_settings_object: true },
    })
    const older = await server.listenAs('ann')
    const bob = await server.listenAs('bob')
    await ann.events()
    await older.events()
    await ann.patch('/settings', { color_scheme: 2, enable_sounds: false, default_language: 'de' })
    const own = [
      { type: 'user_settings', op: 'update', property: 'color_scheme', value: 2 },
      { type: 'user_settings', property: 'default_language', value: 'de', language_name: 'German' },
      { type: 'user_settings', property: 'enable_sounds', value: false },
    ]
    expect(await ann.events()).toMatchObject(own)
    const told = await older.events()
    expect(told).toHaveLength(6)
    expect(told).toMatchObject([
      own[0],
      { type: 'update_display_settings', setting_name: 'color_scheme', setting: 2, user: 'ann@test.example' },
      own[1],
      { type: 'update_display_settings', setting_name: 'default_language', language_name: 'German' },
      own[2],
      { type: 'update_global_notifications', notification_name: 'enable_sounds', setting: false },
    ])
    expect(await bob.events()).toEqual([])
    await ann.patch('/settings', { color_scheme: 2 })
    expect(await ann.events()).toEqual([])
    const types = ['user_settings', 'update_display_settings', 'update_global_notifications']
    const snapshot = await older.listen({ fetch_event_types: types })
    expect(snapshot['user_settings']).toMatchObject({ color_scheme: 2, enable_sounds: false, timezone: '' })
    expect(snapshot).toMatchObject({
      color_scheme: 2,
      enable_sounds: false,
      emojiset_choices: expect.any(Array),
    })
    const newer = await ann.listen({
      fetch_event_types: types,
      client_capabilities: { user_settings_object: true },
    })
    expect(newer).not.toHaveProperty('color_scheme')
    expect(newer).not.toHaveProperty('enable_sounds')
  })

  test.each([
    { color_scheme: 4 },
    { web_font_size_px: 100 },
    { default_language: 'nonsense language' },
    { timezone: 'Moon/Crater' },
    { full_name: '' },
    { email: 'nobody' },
    { email: 'owner@test.example' },
    { email: 'user1@test.local' },
    { new_password: 'a new password' },
    { new_password: 'a new password', old_password: 'wrong' },
  ])('refuses %j, and what comes with it', async (wrong) => {
    const server = await boot()
    await server.owner()
    const ann = await server.listenAs('ann')
    await ann.refused('PATCH', '/settings', { enter_sends: false, ...wrong }, 'BAD_REQUEST')
    expect(await ann.events()).toEqual([])
  })

  test('a name, a time zone and an address are told to everybody', async () => {
    const server = await boot()
    const ann = await server.as('ann')
    const bob = await server.as('bob')
    await expectConverges(bob, () =>
      ann.patch('/settings', { full_name: 'Ann B.', timezone: 'Europe/Lisbon', email: 'new@test.example' }),
    )
    const { user } = await bob.get('/users/new@test.example')
    expect(user).toMatchObject({ user_id: ann.id, full_name: 'Ann B.', timezone: 'Europe/Lisbon' })
  })

  test('a password is changed by who knows it, and the key stays', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.post('/users', { email: 'p@test.example', full_name: 'P', password: 'the first' })
    const p = await server.as('p')
    await p.patch('/settings', { old_password: 'the first', new_password: 'the second' })
    const sign = (password: string) => ({ username: 'p@test.example', password })
    await p.refused('POST', '/fetch_api_key', sign('the first'), 'AUTHENTICATION_FAILED', 401)
    expect(await p.post('/fetch_api_key', sign('the second'))).toMatchObject({ api_key: p.apiKey })
  })
})

describe('PATCH /realm/user_settings_defaults', () => {
  test('is for administrators, reaches everybody, and new users get them', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann')
    const stranger = await server.listenAs('zoe', 'member', {}, 'other')
    await ann.refused('PATCH', '/realm/user_settings_defaults', { color_scheme: 2 }, 'BAD_REQUEST')
    await owner.patch('/realm/user_settings_defaults', { color_scheme: 2, email_address_visibility: 3 })
    expect(await ann.events()).toMatchObject([
      { type: 'realm_user_settings_defaults', op: 'update', property: 'color_scheme', value: 2 },
      { type: 'realm_user_settings_defaults', property: 'email_address_visibility', value: 3 },
    ])
    expect(await stranger.events()).toEqual([])
    const snapshot = await ann.listen({
      fetch_event_types: ['realm_user_settings_defaults', 'user_settings'],
    })
    expect(snapshot['realm_user_settings_defaults']).toMatchObject({ color_scheme: 2, enter_sends: true })
    expect(snapshot['user_settings']).toMatchObject({ color_scheme: 1 })
    const bob = await server.as('bob')
    expect((await bob.listen({ fetch_event_types: ['user_settings'] }))['user_settings']).toMatchObject({
      color_scheme: 2,
      email_address_visibility: 3,
    })
  })
})
