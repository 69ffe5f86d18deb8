/** Every event of the contract: what causes it, who is told and who is not. */
import { expect, test } from 'vitest'
import type { Person } from '../test/boot.ts'
import { boot, type Body } from '../test/boot.ts'
import { clients } from '../test/converges.ts'
import { contract } from '../test/contract.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** An owner, two members and a guest of one organization, and somebody of another. */
const names = ['owner', 'ann', 'bob', 'gus', 'eve'] as const
type Name = (typeof names)[number]

interface World extends Record<Name, Person> {
  /** Of a public channel of Ann and Bob. */
  channel: number
  /** Of a private channel of Ann alone. */
  closed: number
  /** A message of Ann in the public channel, and one to Bob. */
  said: number
  told: number
  /** Of Ann, with Bob in it. */
  group: number
}

interface Row {
  event: string
  /** Made before anybody listens. */
  given?: (world: World) => Promise<Body>
  cause: (world: World, given: Body) => Promise<unknown>
  to: readonly Name[]
  /** Of clients that declare nothing. */
  legacy?: true
}

const members: readonly Name[] = ['owner', 'ann', 'bob']
const all: readonly Name[] = [...members, 'gus']
const own: readonly Name[] = ['ann']
const readers: readonly Name[] = ['ann', 'bob']

const draft = { type: '', to: [], topic: '', content: 'text', timestamp: 1_700_000_000 }
const scheduled = (world: World) => ({
  type: 'channel',
  to: world.channel,
  topic: 't',
  content: 'later',
  scheduled_delivery_timestamp: 4_000_000_000,
})
const subscribe = (person: Person, name: string, more = {}) => person.join(name, more)
const upload = (person: Person) =>
  person.send('POST', '/user_uploads', { name: 'x.png', bytes: png }).then(({ body }) => body)
const attachmentOf = async (person: Person): Promise<number> =>
  (await person.get('/attachments'))['attachments'][0].id
const newBot = (person: Person) =>
  person.post('/bots', { full_name: 'Bot', short_name: 'helper', bot_type: 1 })

const rows: Row[] = [
  {
    event: 'alert_words',
    cause: ({ ann }) => ann.post('/users/me/alert_words', { alert_words: ['lunch'] }),
    to: own,
  },
  { event: 'attachment/add', cause: ({ ann }) => upload(ann), to: own },
  {
    event: 'attachment/update',
    given: ({ ann }) => upload(ann),
    cause: ({ ann, bob }, { url }) => ann.tell([bob], `[x](${url})`),
    to: own,
  },
  {
    event: 'attachment/remove',
    given: ({ ann }) => upload(ann),
    cause: async ({ ann }) => ann.delete(`/attachments/${await attachmentOf(ann)}`),
    to: own,
  },
  {
    event: 'custom_profile_fields',
    cause: ({ owner }) => owner.post('/realm/profile_fields', { name: 'Team', field_type: 1 }),
    to: all,
  },
  {
    event: 'default_stream_groups',
    cause: ({ owner }) =>
      owner.post('/default_stream_groups/create', {
        group_name: 'start',
        description: '',
        stream_names: ['plan'],
      }),
    to: members,
  },
  {
    event: 'default_streams',
    cause: ({ owner, channel }) => owner.post('/default_streams', { stream_id: channel }),
    to: members,
  },
  {
    event: 'default_streams',
    given: ({ owner, channel }) => owner.post('/default_streams', { stream_id: channel }),
    cause: ({ owner, ann }) => owner.patch(`/users/${ann.id}`, { role: 600 }),
    to: own,
  },
  {
    event: 'default_stream_groups',
    cause: ({ owner, gus }) => owner.patch(`/users/${gus.id}`, { role: 400 }),
    to: ['gus'],
  },
  { event: 'delete_message', cause: ({ owner, said }) => owner.delete(`/messages/${said}`), to: readers },
  {
    event: 'delete_message',
    cause: ({ owner, said }) => owner.delete(`/messages/${said}`),
    to: readers,
    legacy: true,
  },
  { event: 'drafts/add', cause: ({ ann }) => ann.post('/drafts', { drafts: [draft] }), to: own },
  {
    event: 'drafts/update',
    given: ({ ann }) => ann.post('/drafts', { drafts: [draft] }),
    cause: ({ ann }, { ids }) => ann.patch(`/drafts/${ids[0]}`, { draft: { ...draft, content: 'other' } }),
    to: own,
  },
  {
    event: 'drafts/remove',
    given: ({ ann }) => ann.post('/drafts', { drafts: [draft] }),
    cause: ({ ann }, { ids }) => ann.delete(`/drafts/${ids[0]}`),
    to: own,
  },
  { event: 'has_call_token', cause: ({ ann }) => ann.post('/users/me/call_token', { value: true }), to: own },
  {
    event: 'invites_changed',
    cause: ({ owner }) => owner.post('/invites/multiuse', {}),
    to: ['owner'],
  },
  { event: 'message', cause: ({ ann }) => ann.say('plan', 't', 'hello'), to: readers },
  { event: 'message', cause: ({ ann, gus }) => ann.tell([gus], 'hello'), to: ['ann', 'gus'] },
  { event: 'message', cause: ({ ann }) => ann.say('closed', 't', 'hello'), to: own },
  {
    event: 'muted_topics',
    cause: ({ ann, channel }) =>
      ann.post('/user_topics', { stream_id: channel, topic: 't', visibility_policy: 1 }),
    to: own,
    legacy: true,
  },
  { event: 'muted_users', cause: ({ ann, bob }) => ann.post(`/users/me/muted_users/${bob.id}`), to: own },
  {
    event: 'onboarding_steps',
    cause: ({ ann }) => ann.post('/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
    to: own,
  },
  {
    event: 'presence',
    cause: ({ ann }) => ann.post('/users/me/presence', { status: 'active' }),
    to: all,
  },
  {
    event: 'reaction/add',
    cause: ({ ann, said }) => ann.post(`/messages/${said}/reactions`, { emoji_name: 'heart' }),
    to: readers,
  },
  {
    event: 'reaction/remove',
    given: ({ bob, said }) => bob.post(`/messages/${said}/reactions`, { emoji_name: 'heart' }),
    cause: ({ bob, said }) => bob.delete(`/messages/${said}/reactions`, { emoji_name: 'heart' }),
    to: readers,
  },
  {
    event: 'realm/update',
    cause: ({ owner }) => owner.patch('/realm', { message_retention_days: 30 }),
    to: all,
  },
  { event: 'realm/update_dict', cause: ({ owner }) => owner.patch('/realm', { name: 'Other' }), to: all },
  { event: 'realm_bot/add', cause: ({ ann }) => newBot(ann), to: ['owner', 'ann'] },
  {
    event: 'realm_bot/update',
    given: ({ ann }) => newBot(ann),
    cause: ({ ann }, { user_id }) => ann.patch(`/bots/${user_id}`, { full_name: 'Other' }),
    to: ['owner', 'ann'],
  },
  {
    event: 'realm_bot/delete',
    given: ({ ann }) => newBot(ann),
    cause: ({ ann, bob }, { user_id }) => ann.patch(`/bots/${user_id}`, { bot_owner_id: bob.id }),
    to: own,
  },
  {
    event: 'realm_domains/add',
    cause: ({ owner }) => owner.post('/realm/domains', { domain: 'a.example', allow_subdomains: false }),
    to: all,
  },
  {
    event: 'realm_domains/change',
    given: ({ owner }) => owner.post('/realm/domains', { domain: 'a.example', allow_subdomains: false }),
    cause: ({ owner }) => owner.patch('/realm/domains/a.example', { allow_subdomains: true }),
    to: all,
  },
  {
    event: 'realm_domains/remove',
    given: ({ owner }) => owner.post('/realm/domains', { domain: 'a.example', allow_subdomains: false }),
    cause: ({ owner }) => owner.delete('/realm/domains/a.example'),
    to: all,
  },
  {
    event: 'realm_emoji/update',
    cause: ({ ann }) => ann.send('POST', '/realm/emoji/dot', { name: 'dot.png', bytes: png }),
    to: all,
  },
  { event: 'realm_export', cause: ({ owner }) => owner.post('/export/realm'), to: ['owner'] },
  {
    event: 'realm_export_consent',
    cause: ({ ann }) => ann.patch('/settings', { allow_private_data_export: true }),
    to: ['owner'],
  },
  {
    event: 'realm_linkifiers',
    cause: ({ owner }) =>
      owner.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.org/{id}' }),
    to: all,
  },
  {
    event: 'realm_playgrounds',
    cause: ({ owner }) =>
      owner.post('/realm/playgrounds', {
        name: 'Try',
        pygments_language: 'Python',
        url_template: 'https://example.org/{code}',
      }),
    to: all,
  },
  {
    event: 'realm_user/add',
    cause: ({ owner }) =>
      owner.post('/users', { email: 'new@new.example', full_name: 'New', password: 'a long password' }),
    to: all,
  },
  {
    event: 'realm_user/remove',
    given: async ({ owner, gus }) => {
      await owner.join('shared', { principals: [gus.id, owner.id] })
      const groups = (await owner.get('/user_groups'))['user_groups'] as { id: number; name: string }[]
      const { id } = groups.find(({ name }) => name === 'role:members') as { id: number }
      return owner.patch('/realm', { can_access_all_users_group: { new: id } })
    },
    // Without the channel there is nobody else that the guest may know.
    cause: ({ owner, gus }) =>
      owner.delete('/users/me/subscriptions', { subscriptions: ['shared'], principals: [gus.id] }),
    to: ['gus'],
  },
  {
    event: 'realm_user/update',
    cause: ({ ann }) => ann.patch('/settings', { full_name: 'Ann B.' }),
    to: all,
  },
  {
    event: 'realm_user_settings_defaults/update',
    cause: ({ owner }) => owner.patch('/realm/user_settings_defaults', { color_scheme: 2 }),
    to: all,
  },
  {
    event: 'saved_snippets/add',
    cause: ({ ann }) => ann.post('/saved_snippets', { title: 'a', content: 'b' }),
    to: own,
  },
  {
    event: 'saved_snippets/update',
    given: ({ ann }) => ann.post('/saved_snippets', { title: 'a', content: 'b' }),
    cause: ({ ann }, { saved_snippet_id: id }) => ann.patch(`/saved_snippets/${id}`, { title: 'c' }),
    to: own,
  },
  {
    event: 'saved_snippets/remove',
    given: ({ ann }) => ann.post('/saved_snippets', { title: 'a', content: 'b' }),
    cause: ({ ann }, { saved_snippet_id: id }) => ann.delete(`/saved_snippets/${id}`),
    to: own,
  },
  {
    event: 'scheduled_messages/add',
    cause: (world) => world.ann.post('/scheduled_messages', scheduled(world)),
    to: own,
  },
  {
    event: 'scheduled_messages/update',
    given: (world) => world.ann.post('/scheduled_messages', scheduled(world)),
    cause: ({ ann }, { scheduled_message_id: id }) =>
      ann.patch(`/scheduled_messages/${id}`, { content: 'other' }),
    to: own,
  },
  {
    event: 'scheduled_messages/remove',
    given: (world) => world.ann.post('/scheduled_messages', scheduled(world)),
    cause: ({ ann }, { scheduled_message_id: id }) => ann.delete(`/scheduled_messages/${id}`),
    to: own,
  },
  { event: 'stream/create', cause: ({ ann }) => subscribe(ann, 'new'), to: members },
  {
    event: 'stream/create',
    cause: ({ ann }) => subscribe(ann, 'inner', { invite_only: true }),
    to: ['owner', 'ann'],
  },
  { event: 'stream/delete', cause: ({ owner, channel }) => owner.delete(`/streams/${channel}`), to: members },
  {
    event: 'stream/delete',
    cause: ({ owner, closed }) => owner.delete(`/streams/${closed}`),
    to: ['owner', 'ann'],
  },
  {
    event: 'stream/update',
    cause: ({ owner, channel }) => owner.patch(`/streams/${channel}`, { description: 'Plans' }),
    to: members,
  },
  {
    event: 'stream/update',
    cause: ({ owner, closed }) => owner.patch(`/streams/${closed}`, { new_name: 'other' }),
    to: ['owner', 'ann'],
  },
  {
    event: 'submessage',
    given: ({ ann }) =>
      ann.post('/messages', { type: 'channel', to: 'plan', topic: 't', content: '/poll Tea?' }),
    cause: ({ bob }, { id }) =>
      bob.post('/submessage', {
        message_id: id,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'new_option', idx: 1, option: 'yes' }),
      }),
    to: readers,
  },
  { event: 'subscription/add', cause: ({ owner }) => subscribe(owner, 'plan'), to: ['owner'] },
  { event: 'subscription/peer_add', cause: ({ owner }) => subscribe(owner, 'plan'), to: readers },
  {
    event: 'subscription/peer_add',
    cause: ({ owner, gus }) => subscribe(owner, 'plan', { principals: [gus.id] }),
    to: members,
  },
  {
    event: 'subscription/remove',
    cause: ({ ann }) => ann.delete('/users/me/subscriptions', { subscriptions: ['plan'] }),
    to: own,
  },
  {
    event: 'subscription/peer_remove',
    cause: ({ ann }) => ann.delete('/users/me/subscriptions', { subscriptions: ['plan'] }),
    to: ['owner', 'bob'],
  },
  {
    event: 'subscription/peer_remove',
    given: ({ ann, bob }) => ann.join('closed', { principals: [bob.id] }),
    cause: ({ ann }) => ann.delete('/users/me/subscriptions', { subscriptions: ['closed'] }),
    to: ['owner', 'bob'],
  },
  {
    event: 'subscription/update',
    cause: ({ ann, channel }) =>
      ann.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel, property: 'pin_to_top', value: true }],
      }),
    to: own,
  },
  ...(['start', 'stop'] as const).flatMap((op): Row[] => [
    {
      event: `typing/${op}`,
      cause: ({ ann, bob }) => ann.post('/typing', { op, type: 'direct', to: [bob.id] }),
      to: readers,
    },
    {
      event: `typing/${op}`,
      cause: ({ ann, channel }) =>
        ann.post('/typing', { op, type: 'channel', stream_id: channel, topic: 't' }),
      to: ['bob'],
    },
    {
      event: `typing_edit_message/${op}`,
      cause: ({ ann, said }) => ann.post(`/messages/${said}/typing`, { op }),
      to: ['bob'],
    },
  ]),
  {
    event: 'update_display_settings',
    cause: ({ ann }) => ann.patch('/settings', { color_scheme: 2 }),
    to: own,
    legacy: true,
  },
  {
    event: 'update_global_notifications',
    cause: ({ ann }) => ann.patch('/settings', { enable_sounds: false }),
    to: own,
    legacy: true,
  },
  {
    event: 'update_message',
    cause: ({ ann, said }) => ann.patch(`/messages/${said}`, { content: 'other' }),
    to: readers,
  },
  {
    event: 'update_message',
    cause: ({ ann, said }) => ann.patch(`/messages/${said}`, { topic: 'other' }),
    to: readers,
  },
  {
    event: 'update_message_flags/add',
    cause: ({ bob, said }) => bob.post('/messages/flags', { messages: [said], flag: 'read', op: 'add' }),
    to: ['bob'],
  },
  {
    event: 'update_message_flags/remove',
    given: ({ ann }) => ann.post('/mark_all_as_read'),
    cause: ({ ann, said }) => ann.post('/messages/flags', { messages: [said], flag: 'read', op: 'remove' }),
    to: own,
  },
  {
    event: 'user_group/add',
    cause: ({ ann }) => ann.post('/user_groups/create', { name: 'new', description: '', members: [ann.id] }),
    to: all,
  },
  {
    event: 'user_group/add_members',
    cause: ({ ann, owner, group }) => ann.post(`/user_groups/${group}/members`, { add: [owner.id] }),
    to: all,
  },
  {
    event: 'user_group/remove_members',
    cause: ({ ann, bob, group }) => ann.post(`/user_groups/${group}/members`, { delete: [bob.id] }),
    to: all,
  },
  {
    event: 'user_group/add_subgroups',
    given: ({ ann }) => ann.post('/user_groups/create', { name: 'sub', description: '', members: [] }),
    cause: ({ ann, group }, { group_id }) => ann.post(`/user_groups/${group}/subgroups`, { add: [group_id] }),
    to: all,
  },
  {
    event: 'user_group/remove_subgroups',
    given: async ({ ann, group }) => {
      const sub = await ann.post('/user_groups/create', { name: 'sub', description: '', members: [] })
      await ann.post(`/user_groups/${group}/subgroups`, { add: [sub['group_id']] })
      return sub
    },
    cause: ({ ann, group }, { group_id }) =>
      ann.post(`/user_groups/${group}/subgroups`, { delete: [group_id] }),
    to: all,
  },
  {
    event: 'user_group/update',
    cause: ({ ann, group }) => ann.patch(`/user_groups/${group}`, { description: 'Us' }),
    to: all,
  },
  {
    event: 'user_group/remove',
    cause: ({ ann, group }) => ann.post(`/user_groups/${group}/deactivate`),
    to: all,
    legacy: true,
  },
  { event: 'user_settings/update', cause: ({ ann }) => ann.patch('/settings', { color_scheme: 2 }), to: own },
  {
    event: 'user_status',
    cause: ({ ann }) => ann.post('/users/me/status', { status_text: 'away' }),
    to: all,
  },
  { event: 'user_status', cause: ({ ann }) => ann.patch('/settings', { presence_enabled: false }), to: all },
  {
    event: 'user_topic',
    cause: ({ ann, channel }) =>
      ann.post('/user_topics', { stream_id: channel, topic: 'other', visibility_policy: 3 }),
    to: own,
  },
]

/** What is about queues, the server or the end of an organization has tests of its own. */
const elsewhere: Record<string, string> = {
  heartbeat: 'features/register/register.test.ts',
  restart: 'events/queues.test.ts',
  web_reload_client: 'events/queues.test.ts',
  'realm/deactivated': 'features/realms/realms.test.ts',
}

const nameOf = ({ type, op }: { type: string; op?: string | null }): string => (op ? `${type}/${op}` : type)

test.skipIf(!contract)('no event of the contract is left out', () => {
  const covered = new Set([...rows.map(({ event }) => event), ...Object.keys(elsewhere)])
  expect(new Set(contract?.events.map(nameOf))).toEqual(covered)
})

test('every event reaches those it is for, and nobody else', async () => {
  const server = await boot()
  for (const [i, row] of rows.entries()) {
    const realm = `r${i}`
    const world = {
      owner: await server.owner(realm),
      ann: await server.as('ann', 'member', realm),
      bob: await server.as('bob', 'member', realm),
      gus: await server.as('gus', 'guest', realm),
      eve: await server.owner('elsewhere'),
    } as World
    const { ann, bob } = world
    await ann.join('plan', { principals: [ann.id, bob.id] })
    await ann.join('closed', { invite_only: true })
    world.channel = (await ann.get('/get_stream_id', { stream: 'plan' }))['stream_id']
    world.closed = (await ann.get('/get_stream_id', { stream: 'closed' }))['stream_id']
    world.said = await ann.say('plan', 't', 'said')
    world.told = await ann.tell([bob], 'told')
    const group = { name: 'us', description: '', members: [ann.id, bob.id] }
    world.group = (await ann.post('/user_groups/create', group))['group_id']
    const given = (await row.given?.(world)) ?? {}
    for (const name of names) await world[name].listen(row.legacy ? clients.legacy : clients.modern)
    await row.cause(world, given)
    const heard = []
    for (const name of names) {
      const events = (await world[name].events()) as { type: string; op?: string }[]
      if (events.some((event) => nameOf(event) === row.event)) heard.push(name)
    }
    expect(heard, `${i}: ${row.event}`).toEqual(row.to)
  }
}, 120_000)
