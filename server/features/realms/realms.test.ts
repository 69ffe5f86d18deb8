import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { boot, type Params, type Person } from '../../test/boot.ts'
import { schemaProblems } from '../../test/contract.ts'
import { expectConverges } from '../../test/converges.ts'
import { realmPermissionNames } from '../user-groups/settings.ts'
import { RealmFields } from './present.ts'

/** What is sent, and where it differs what clients see afterwards. */
interface Setting {
  valid: [unknown, unknown?][]
  invalid: unknown[]
}
const flag: Setting = { valid: [[true], [false]], invalid: ['maybe', 7, 'null'] }
const limit: Setting = {
  valid: [[3600], ['unlimited', null], [1]],
  invalid: [0, -5, 1.5, 'forever', 'null', 3e9],
}
const channel: Setting = { valid: [], invalid: [999, -2, 'general', 'null'] }

const settings: Record<string, Setting> = {
  name: { valid: [['The office'], [' Trimmed ', 'Trimmed']], invalid: ['', '   ', 'x'.repeat(61)] },
  description: { valid: [['What we do'], [''], ['x'.repeat(1000)]], invalid: ['x'.repeat(1001)] },
  org_type: { valid: [[10], [1000], [0]], invalid: [5, -1, 'business', 1001] },
  default_language: {
    valid: [['de'], ['pt-BR'], ['zh_Hans'], ['"fr"', 'fr']],
    invalid: ['', 'English please', 'xx'],
  },
  default_code_block_language: { valid: [['python'], ['c++'], ['']], invalid: ['two words', 'x'.repeat(41)] },
  allow_message_editing: flag,
  message_content_edit_limit_seconds: limit,
  message_content_delete_limit_seconds: limit,
  move_messages_within_stream_limit_seconds: limit,
  move_messages_between_streams_limit_seconds: limit,
  message_edit_history_visibility_policy: {
    valid: [['moves'], ['none'], ['all'], ['"moves"', 'moves']],
    invalid: ['some', ''],
  },
  message_retention_days: {
    valid: [[30], ['unlimited', -1], ['"unlimited"', -1], [1]],
    invalid: [0, -1, 'forever', 1.5],
  },
  mandatory_topics: flag,
  avatar_changes_disabled: flag,
  name_changes_disabled: flag,
  email_changes_disabled: flag,
  require_unique_names: flag,
  invite_required: flag,
  emails_restricted_to_domains: flag,
  disallow_disposable_email_addresses: flag,
  send_welcome_emails: flag,
  digest_emails_enabled: flag,
  digest_weekday: { valid: [[0], [6]], invalid: [7, -1, 'Monday'] },
  message_content_allowed_in_email_notifications: flag,
  enable_guest_user_indicator: flag,
  enable_guest_user_dm_warning: flag,
  enable_read_receipts: flag,
  enable_spectator_access: flag,
  inline_image_preview: flag,
  inline_url_embed_preview: flag,
  presence_disabled: flag,
  video_chat_provider: { valid: [[0]], invalid: [1, -1, 'none'] },
  waiting_period_threshold: { valid: [[3], [0], [36_500]], invalid: [-1, 36_501, 'a week'] },
  want_advertise_in_communities_directory: flag,
  new_stream_announcements_stream_id: channel,
  signup_announcements_stream_id: channel,
  svc_update_announcements_stream_id: channel,
  moderation_request_channel_id: channel,
}
const forOwners = [
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
]
const single = ['avatar_changes_disabled', 'message_retention_days']

const realmOf = async (person: Person) => {
  const snapshot = await person.post('/register', { fetch_event_types: ['realm'] })
  expect(schemaProblems('Register', snapshot)).toBeNull()
  return snapshot
}
const eventFor = (name: string, value: unknown) =>
  single.includes(name)
    ? { type: 'realm', op: 'update', property: name, value }
    : { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: value } }
const withoutIds = (events: Params[]) => events.map(({ id: _id, ...event }) => event)

test('every setting is in this table', () => {
  const tested = [...Object.keys(settings), ...realmPermissionNames, 'authentication_methods']
  expect([...tested, 'upload_quota_mib'].sort()).toEqual(Object.keys(RealmFields.shape).sort())
})

/** Hears of the organization only. */
const listening = { event_types: ['realm'] }

test('a valid value is kept and everybody of the organization hears of it', {
  timeout: 120_000,
}, async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.listen(listening)
  const listeners = [
    owner,
    await server.listenAs('ann', 'member', listening),
    await server.listenAs('gus', 'guest', listening),
  ]
  const stranger = await server.listenAs('eve', 'owner', listening, 'other')
  const before = await realmOf(owner)
  for (const [name, { valid }] of Object.entries(settings)) {
    let current: unknown = before[`realm_${name}`]
    const events = []
    for (const [given, seen = given] of valid) {
      const reply = await owner.patch('/realm', { [name]: given })
      if (seen === current) continue
      expect(reply[name], `setting ${name}`).toEqual(seen)
      events.push(eventFor(name, seen))
      current = seen
    }
    for (const person of listeners) {
      expect(withoutIds(await person.events()), `setting ${name}`).toEqual(events)
    }
    if (valid.length > 0) expect((await realmOf(owner))[`realm_${name}`], `setting ${name}`).toEqual(current)
  }
  expect(await stranger.events()).toEqual([])
})

test('an invalid value is refused and changes nothing', { timeout: 120_000 }, async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.listen(listening)
  const before = await realmOf(owner)
  for (const [name, { invalid }] of Object.entries(settings)) {
    for (const given of invalid) {
      // What is right beside it does not happen either.
      const beside = name === 'send_welcome_emails' ? 'mandatory_topics' : 'send_welcome_emails'
      await owner.refused('PATCH', '/realm', { [beside]: true, [name]: given }, 'BAD_REQUEST')
    }
  }
  expect(await owner.events()).toEqual([])
  expect(await realmOf(owner)).toEqual({ ...before, queue_id: expect.any(String) })
})

test('administrators may change settings, of some only owners may; nobody else', {
  timeout: 120_000,
}, async () => {
  const server = await boot()
  const owner = await server.owner()
  const others = [await server.as('mo', 'moderator'), await server.as('ann'), await server.as('gus', 'guest')]
  const administrator = await server.as('adam', 'administrator')
  for (const [name, { valid }] of Object.entries(settings)) {
    const change = { [name]: valid.at(-1)?.[0] ?? -1 }
    for (const person of others) await person.refused('PATCH', '/realm', change, 'BAD_REQUEST')
    if (forOwners.includes(name)) await administrator.refused('PATCH', '/realm', change, 'BAD_REQUEST')
    else await administrator.patch('/realm', change)
    await owner.patch('/realm', change)
  }
})

test('settings that name a channel take one that is there, and -1 for none', async () => {
  const server = await boot()
  const owner = await server.owner()
  await owner.join('secret', { invite_only: true })
  await owner.join(['open', 'old'])
  const { streams } = await owner.get('/streams')
  const idOf = (wanted: string) => streams.find((one: Params) => one['name'] === wanted).stream_id
  const old = idOf('old')
  await owner.delete(`/streams/${old}`)
  const ann = await server.listenAs('ann', 'member', listening)
  for (const name of Object.keys(settings).filter((each) => settings[each] === channel)) {
    await owner.refused('PATCH', '/realm', { [name]: old }, 'BAD_REQUEST')
    const isModeration = name === 'moderation_request_channel_id'
    if (isModeration) await owner.refused('PATCH', '/realm', { [name]: idOf('open') }, 'BAD_REQUEST')
    const id = idOf(isModeration ? 'secret' : 'open')
    await owner.patch('/realm', { [name]: id })
    expect(withoutIds(await ann.events())).toEqual([eventFor(name, id)])
    expect((await realmOf(ann))[`realm_${name}`]).toBe(id)
    await owner.patch('/realm', { [name]: -1 })
    expect(withoutIds(await ann.events())).toEqual([eventFor(name, -1)])
  }
})

describe('permission settings', () => {
  const ownersOnly = ['can_create_groups', 'can_manage_all_groups', 'create_multiuse_invite_group']

  test('each takes another group, and a stale idea of the old one is refused', {
    timeout: 120_000,
  }, async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.as('ann')
    const administrator = await server.listenAs('adam', 'administrator', listening)
    const guest = await server.listenAs('gus', 'guest', listening)
    const stranger = await server.listenAs('eve', 'member', listening, 'other')
    const realm = await realmOf(owner)
    const administrators = realm['realm_can_delete_any_message_group']
    const members = realm['realm_can_invite_users_group']
    const expected: { data?: Params }[] = []
    for (const name of realmPermissionNames) {
      const current = realm[`realm_${name}`]
      const isForMembers = name === 'can_access_all_users_group' || current === administrators
      const next = isForMembers ? members : administrators
      await administrator.refused('PATCH', '/realm', { [name]: { new: next, old: 987 } }, 'BAD_REQUEST')
      await administrator.refused('PATCH', '/realm', { [name]: { new: 987 } }, 'BAD_REQUEST')
      await administrator.refused('PATCH', '/realm', { [name]: next }, 'BAD_REQUEST')
      await ann.refused('PATCH', '/realm', { [name]: { new: next } }, 'BAD_REQUEST')
      const change = { [name]: { new: next, old: current } }
      if (ownersOnly.includes(name)) await administrator.refused('PATCH', '/realm', change, 'BAD_REQUEST')
      await owner.patch('/realm', change)
      // Believed to be what it was: somebody else was faster.
      await owner.refused('PATCH', '/realm', { [name]: { new: current, old: current } }, 'BAD_REQUEST')
      expected.push(eventFor(name, next))
    }
    for (const person of [administrator, guest]) expect(withoutIds(await person.events())).toEqual(expected)
    const after = await realmOf(owner)
    for (const { data } of expected) {
      for (const [name, value] of Object.entries(data ?? {})) expect(after[`realm_${name}`]).toEqual(value)
    }
    expect(await stranger.events()).toEqual([])
  })

  test('people may be named, except where a system group is required', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann', 'member', listening)
    const named = { direct_members: [ann.id], direct_subgroups: [] }
    await owner.patch('/realm', { can_invite_users_group: { new: named } })
    expect(withoutIds(await ann.events())).toEqual([eventFor('can_invite_users_group', named)])
    await owner.refused('PATCH', '/realm', { can_access_all_users_group: { new: named } }, 'BAD_REQUEST')
    const nobody = { direct_members: [987], direct_subgroups: [] }
    await owner.refused('PATCH', '/realm', { can_invite_users_group: { new: nobody } }, 'BAD_REQUEST')
    expect(await ann.events()).toEqual([])
  })

  test('the deprecated policies follow', async () => {
    const owner = await (await boot()).owner()
    const before = await realmOf(owner)
    expect(before['realm_create_public_stream_policy']).toBe(1)
    const change = { can_create_public_channel_group: { new: before['realm_can_delete_any_message_group'] } }
    await owner.patch('/realm', change)
    expect((await realmOf(owner))['realm_create_public_stream_policy']).toBe(2)
  })
})

describe('authentication methods', () => {
  test('owners switch them, and one stays on', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann', 'member', listening)
    const administrator = await server.as('adam', 'administrator')
    const off = { authentication_methods: { Email: false } }
    await administrator.refused('PATCH', '/realm', off, 'BAD_REQUEST')
    await owner.refused('PATCH', '/realm', { authentication_methods: { Pigeon: true } }, 'BAD_REQUEST')
    const none = { authentication_methods: { Email: false, Dev: false } }
    await owner.refused('PATCH', '/realm', none, 'BAD_REQUEST')
    expect(await ann.events()).toEqual([])
    await owner.patch('/realm', off)
    const authentication_methods = {
      Email: { enabled: false, available: true },
      Dev: { enabled: true, available: true },
    }
    expect(withoutIds(await ann.events())).toEqual([
      eventFor('authentication_methods', authentication_methods),
    ])
    expect(await realmOf(ann)).toMatchObject({ realm_email_auth_enabled: false })
    const settings = await ann.get('/server_settings')
    expect(settings).toMatchObject({ email_auth_enabled: false, authentication_methods: { dev: true } })
  })

  test('a password does not let in where that is switched off', async () => {
    const server = await boot()
    const owner = await server.owner()
    const account = { email: 'pia@test.example', password: 'correct horse', full_name: 'Pia' }
    await owner.post('/users', account)
    const credentials = { username: account.email, password: account.password }
    await owner.post('/fetch_api_key', credentials)
    await owner.patch('/realm', { authentication_methods: { Email: false } })
    await owner.refused('POST', '/fetch_api_key', credentials, 'PASSWORD_AUTH_DISABLED', 401)
    await owner.patch('/realm', { authentication_methods: { Email: true, Dev: false } })
    await owner.refused('POST', '/dev_fetch_api_key', { username: account.email }, 'BAD_REQUEST')
  })

  test('a server that is not for development keeps the password', async () => {
    const server = await boot()
    const owner = await server.owner()
    server.running.server.config.dev = false
    const methods = { authentication_methods: { Email: false, Dev: true } }
    await owner.refused('PATCH', '/realm', methods, 'BAD_REQUEST')
  })
})

test('several settings change together, and are told of together', async () => {
  const server = await boot()
  const owner = await server.owner()
  const ann = await server.listenAs('ann', 'member', listening)
  const change = { name: 'New', mandatory_topics: true, avatar_changes_disabled: true, digest_weekday: 1 }
  const reply = await owner.patch('/realm', change)
  expect(reply).toEqual({
    result: 'success',
    msg: '',
    name: 'New',
    mandatory_topics: true,
    avatar_changes_disabled: true,
  })
  expect(withoutIds(await ann.events())).toEqual([
    { type: 'realm', op: 'update_dict', property: 'default', data: { name: 'New', mandatory_topics: true } },
    eventFor('avatar_changes_disabled', true),
  ])
  expect(await owner.get('/server_settings')).toMatchObject({ realm_name: 'New' })
})

test('a snapshot stays current', async () => {
  const server = await boot()
  const owner = await server.owner()
  const guest = await server.as('gus', 'guest')
  await expectConverges(guest, () =>
    owner.patch('/realm', {
      name: 'New',
      message_edit_history_visibility_policy: 'none',
      message_retention_days: 7,
      authentication_methods: { Email: false },
      can_invite_users_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    }),
  )
})

test('settings outlast a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-realm-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const server = await boot({ dataDir })
  await (await server.owner()).patch('/realm', { name: 'New', description: 'Here' })
  await server.close()
  const { url } = await boot({ dataDir })
  const reply = await fetch(`${url}/r/test/api/v1/server_settings`)
  expect(await reply.json()).toMatchObject({ realm_name: 'New', realm_description: 'Here' })
})

test('the address of an organization stays', async () => {
  const owner = await (await boot()).owner()
  await owner.patch('/realm', { string_id: 'test' })
  await owner.refused('PATCH', '/realm', { string_id: 'elsewhere' }, 'BAD_REQUEST')
  const { body } = await owner.request('PATCH', '/realm', { upload_quota_mib: 5, plan_type: 3 })
  expect(body['ignored_parameters_unsupported']).toEqual(['upload_quota_mib', 'plan_type'])
})

describe('deactivation', () => {
  test('everybody who listens hears of it, and nobody gets in until the operator opens it again', async () => {
    const server = await boot()
    const owner = await server.owner()
    const ann = await server.listenAs('ann')
    const idle = await server.listenAs('gus', 'guest')
    const stranger = await server.listenAs('eve', 'owner', listening, 'other')
    const administrator = await server.as('adam', 'administrator')
    await administrator.refused('POST', '/realm/deactivate', {}, 'BAD_REQUEST')
    await ann.events()

    const heard = ann.events({ block: true })
    await waitFor(() => [...server.running.server.hub.all()].some(({ poll }) => poll !== null))
    await owner.post('/realm/deactivate')
    expect(withoutIds(await heard)).toEqual([
      { type: 'realm', op: 'deactivated', realm_id: server.realm('test').id },
    ])
    for (const person of [owner, ann, idle]) {
      await person.refused('GET', '/users/me', {}, 'REALM_DEACTIVATED', 401)
      await person.refused('GET', '/events', { queue_id: person.queueId }, 'REALM_DEACTIVATED', 401)
      await person.refused('POST', '/dev_fetch_api_key', { username: person.email }, 'REALM_DEACTIVATED', 401)
    }
    await waitFor(() => [...server.running.server.hub.all()].every(({ userId }) => userId === stranger.id))
    expect(await stranger.events()).toEqual([])

    const { realms } = await server.admin('GET', '/realms')
    expect(realms.find(({ name }: Params) => name === 'test')).toMatchObject({ is_deactivated: true })
    expect(await server.admin('POST', '/realms/test/reactivate')).toMatchObject({ result: 'success' })
    await owner.get('/users/me')
    await ann.refused('GET', '/events', { queue_id: ann.queueId }, 'BAD_EVENT_QUEUE_ID')
  })

  test('the address of the server stays with the only organization', async () => {
    const server = await boot()
    const owner = await server.owner()
    await owner.post('/realm/deactivate')
    const reply = await fetch(`${server.url}/api/v1/users/me`)
    expect(reply.status).toBe(401)
    expect(await reply.json()).toMatchObject({ code: 'REALM_DEACTIVATED' })
  })
})

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
