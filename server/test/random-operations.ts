/** Operations picked at random, by random people: what the property test of convergence is made of. */
import fc from 'fast-check'
import { RealmContext } from '../context.ts'
import { realmById } from '../features/realms/store.ts'
import {
  groupPermissionNames,
  realmPermissionNames,
  channelPermissionNames,
} from '../features/user-groups/settings.ts'
import type { userSettings } from '../features/user-settings/settings.ts'
import { roleNumbers } from '../features/users/roles.ts'
import type { Params, Person, TestServer } from './boot.ts'

/** Which operation, by whom, and the numbers that its parameters are picked by. */
export interface Step {
  kind: string
  by: number
  picks: number[]
}

type Request = [method: string, path: string, params?: Params]
type Table =
  | 'users'
  | 'channels'
  | 'messages'
  | 'user_groups'
  | 'realm_emoji'
  | 'linkifiers'
  | 'playgrounds'
  | 'profile_fields'
  | 'default_channel_groups'
  | 'drafts'
  | 'saved_snippets'
  | 'scheduled_messages'

const filters: Partial<Record<Table, string>> = { users: 'AND is_system_bot = 0' }
const owned: ReadonlySet<Table> = new Set(['drafts', 'saved_snippets', 'scheduled_messages'])

/** What a step picks from. Everything follows from its numbers and what the realm holds by then. */
export class Picker {
  private at = 0

  constructor(
    private readonly ctx: RealmContext,
    private readonly picks: readonly number[],
    private readonly personId: number,
  ) {}

  number(below: number): number {
    this.at += 1
    return (this.picks[this.at % this.picks.length] ?? 0) % below
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.number(Math.max(items.length, 1))] as Item
  }

  yes = (): boolean => this.number(2) === 1
  maybe = <Item>(item: Item): Item | undefined => (this.yes() ? item : undefined)

  /** Of a row of the realm, mostly one that the person may change; -1 where there is none. */
  id(table: Table): number {
    const isOwned = owned.has(table)
    const rows = this.ctx.db.sql<{ id: number }>(
      `SELECT id FROM ${table}
        WHERE realm_id = :realm ${filters[table] ?? ''} ${isOwned ? 'AND user_id = ?' : ''} ORDER BY id`,
      isOwned ? [this.personId] : [],
    )
    return this.of(rows)?.id ?? -1
  }

  /** Of a group that people made, mostly. */
  group(): number {
    const made = this.ctx.db.sql<{ id: number }>(
      'SELECT id FROM user_groups WHERE realm_id = :realm AND is_system_group = 0 ORDER BY id',
    )
    return this.number(5) === 0 || made.length === 0 ? this.id('user_groups') : this.of(made).id
  }

  bot(): number {
    const bots = this.ctx.db.sql<{ id: number }>(
      'SELECT id FROM users WHERE realm_id = :realm AND is_bot = 1 AND is_system_bot = 0 ORDER BY id',
    )
    return this.of(bots)?.id ?? -1
  }

  ids(table: Table): number[] {
    return [...new Set([this.id(table), ...(this.yes() ? [this.id(table)] : [])])]
  }

  channelName(): string {
    const name = this.ctx.db.sql<{ name: string }>(
      'SELECT name FROM channels WHERE id = ? AND realm_id = :realm',
      [this.id('channels')],
    )[0]?.name
    return name ?? 'none'
  }

  word = (): string => this.of(['alpha', 'Beta', 'gamma', 'delta', 'epsilon'])
  topic = (): string => this.of(['', 'plan', 'Plan', 'lunch', '✔ plan'])

  /** A new value of a permission setting. */
  permission() {
    const value = this.yes()
      ? this.id('user_groups')
      : { direct_members: this.ids('users'), direct_subgroups: this.yes() ? this.ids('user_groups') : [] }
    return { new: value }
  }

  get realm() {
    return this.ctx.realm
  }
}

const permissionOf = (p: Picker, names: readonly string[]) => ({ [p.of(names)]: p.permission() })

const choices: Record<string, readonly unknown[]> = {
  email_address_visibility: [1, 2, 3, 4, 5],
  color_scheme: [1, 2, 3],
  presence_enabled: [true, false],
  enable_sounds: [true, false],
  enable_drafts_synchronization: [true, false],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  automatically_follow_topics_where_mentioned: [true, false],
  notification_sound: ['ding', 'none'],
  web_home_view: ['inbox', 'all_messages'],
} satisfies Partial<Record<keyof typeof userSettings, readonly unknown[]>>

const aSetting = (p: Picker): Params => {
  const name = p.of(Object.keys(choices))
  return { [name]: p.of(choices[name] ?? []) }
}

const realmChanges = (p: Picker): Params =>
  p.of<Params>([
    { name: p.word() },
    { description: p.word() },
    { message_edit_history_visibility_policy: p.of(['all', 'moves', 'none']) },
    { waiting_period_threshold: p.of([0, 30]) },
    { message_retention_days: p.of([-1, 30]) },
    { avatar_changes_disabled: p.yes() },
    { new_stream_announcements_stream_id: p.of([-1, p.id('channels')]) },
    { mandatory_topics: p.yes() },
    { enable_spectator_access: p.yes() },
    { can_access_all_users_group: p.permission() },
    { can_access_all_users_group: { new: p.id('user_groups') } },
    permissionOf(p, realmPermissionNames),
  ])

const recipient = (p: Picker): Params =>
  p.yes()
    ? { type: 'channel', to: p.id('channels'), topic: p.topic() }
    : { type: 'direct', to: p.ids('users') }

const content = (p: Picker): string =>
  p.of(['hello', '@**all**', '@*alpha*', '@**Ann**', '@**Bob** alpha', 'alpha and beta', '/me waves'])

const mail = (p: Picker, realm = p.realm.stringId): string => `${p.word().toLowerCase()}@${realm}.example`

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Every kind of operation that changes what somebody's snapshot tells. */
const kinds: Record<string, (p: Picker) => Request | { path: string; file: Buffer; method: string }> = {
  'send a message': (p) => ['POST', '/messages', { ...recipient(p), content: content(p) }],
  'send a direct message': (p) => [
    'POST',
    '/messages',
    { type: 'direct', to: p.ids('users'), content: content(p) },
  ],
  'edit a message': (p) => ['PATCH', `/messages/${p.id('messages')}`, { content: content(p) }],
  'move messages': (p) => [
    'PATCH',
    `/messages/${p.id('messages')}`,
    {
      topic: p.maybe(p.topic()),
      stream_id: p.maybe(p.id('channels')),
      propagate_mode: p.of(['change_one', 'change_later', 'change_all']),
      send_notification_to_old_thread: p.yes(),
      send_notification_to_new_thread: p.yes(),
    },
  ],
  'delete a message': (p) => ['DELETE', `/messages/${p.id('messages')}`],
  'delete a topic': (p) => ['POST', `/streams/${p.id('channels')}/delete_topic`, { topic_name: p.topic() }],
  'flag messages': (p) => [
    'POST',
    '/messages/flags',
    {
      messages: p.ids('messages'),
      flag: p.of(['read', 'starred', 'collapsed']),
      op: p.of(['add', 'remove']),
    },
  ],
  'flag a narrow': (p) => [
    'POST',
    '/messages/flags/narrow',
    {
      anchor: p.of(['oldest', 'newest', 'first_unread']),
      num_before: p.number(4),
      num_after: p.number(4),
      narrow: p.of([[], [['channel', p.channelName()]], [['is', 'dm']]]),
      flag: p.of(['read', 'starred']),
      op: p.of(['add', 'remove']),
    },
  ],
  'read everything': () => ['POST', '/mark_all_as_read'],
  react: (p) => [
    p.of(['POST', 'DELETE']),
    `/messages/${p.id('messages')}/reactions`,
    { emoji_name: 'heart' },
  ],
  'make a channel': (p) => [
    'POST',
    '/users/me/subscriptions',
    {
      subscriptions: [{ name: p.word() }],
      invite_only: p.maybe(p.yes()),
      is_web_public: p.maybe(p.yes()),
      history_public_to_subscribers: p.maybe(p.yes()),
      principals: p.maybe(p.ids('users')),
    },
  ],
  subscribe: (p) => [
    'POST',
    '/users/me/subscriptions',
    { subscriptions: [{ name: p.channelName() }], principals: p.maybe(p.ids('users')) },
  ],
  unsubscribe: (p) => [
    'DELETE',
    '/users/me/subscriptions',
    { subscriptions: [p.channelName()], principals: p.maybe(p.ids('users')) },
  ],
  'change a channel': (p) => [
    'PATCH',
    `/streams/${p.id('channels')}`,
    p.of<Params>([
      { new_name: p.word() },
      { description: p.word() },
      { is_private: p.yes(), history_public_to_subscribers: p.maybe(p.yes()) },
      { is_web_public: p.yes() },
      { history_public_to_subscribers: p.yes() },
      { message_retention_days: p.of(['unlimited', 'realm_default', 7]) },
      { is_default_stream: p.yes() },
      permissionOf(p, channelPermissionNames),
      permissionOf(p, channelPermissionNames),
    ]),
  ],
  'archive a channel': (p) => ['DELETE', `/streams/${p.id('channels')}`],
  'change a subscription': (p) => [
    'POST',
    '/users/me/subscriptions/properties',
    {
      subscription_data: [
        {
          stream_id: p.id('channels'),
          ...p.of([
            { property: 'is_muted', value: p.yes() },
            { property: 'in_home_view', value: p.yes() },
            { property: 'pin_to_top', value: p.yes() },
            { property: 'color', value: p.of(['#ffffff', '#000000']) },
            { property: 'desktop_notifications', value: p.yes() },
          ]),
        },
      ],
    },
  ],
  'change default channels': (p) => [
    p.of(['POST', 'DELETE']),
    '/default_streams',
    { stream_id: p.id('channels') },
  ],
  'make a group of default channels': (p) => [
    'POST',
    '/default_stream_groups/create',
    { group_name: p.word(), description: p.word(), stream_names: [p.channelName()] },
  ],
  'change a group of default channels': (p) => [
    'PATCH',
    `/default_stream_groups/${p.id('default_channel_groups')}`,
    { new_group_name: p.word() },
  ],
  'fill a group of default channels': (p) => [
    'PATCH',
    `/default_stream_groups/${p.id('default_channel_groups')}/streams`,
    { op: p.of(['add', 'remove']), stream_names: [p.channelName()] },
  ],
  'choose for a topic': (p) => [
    'POST',
    '/user_topics',
    { stream_id: p.id('channels'), topic: p.topic(), visibility_policy: p.number(4) },
  ],
  'mute a topic': (p) => [
    'PATCH',
    '/users/me/subscriptions/muted_topics',
    { stream_id: p.id('channels'), topic: p.topic(), op: p.of(['add', 'remove']) },
  ],
  'mute a user': (p) => [p.of(['POST', 'DELETE']), `/users/me/muted_users/${p.id('users')}`],
  'make a user': (p) => [
    'POST',
    '/users',
    { email: mail(p), full_name: p.word(), password: 'a long password' },
  ],
  'change a user': (p) => [
    'PATCH',
    `/users/${p.id('users')}`,
    p.of<Params>([
      { full_name: p.word() },
      { role: p.of(roleNumbers) },
      { role: p.of(roleNumbers) },
      { new_email: mail(p) },
    ]),
  ],
  'deactivate a user': (p) => ['DELETE', `/users/${p.id('users')}`],
  'reactivate a user': (p) => ['POST', `/users/${p.id('users')}/reactivate`],
  'change a setting': (p) => ['PATCH', '/settings', aSetting(p)],
  'change oneself': (p) => [
    'PATCH',
    '/settings',
    p.of([{ full_name: p.word() }, { email: mail(p) }, { timezone: p.of(['', 'Europe/Lisbon']) }]),
  ],
  'change a setting of newcomers': (p) => ['PATCH', '/realm/user_settings_defaults', aSetting(p)],
  'say how one is': (p) => [
    'POST',
    '/users/me/status',
    p.of<Params>([
      { status_text: p.of(['', 'away']) },
      { emoji_name: p.of(['', 'heart']) },
      { away: p.yes() },
      { status_text: 'busy', emoji_name: 'car' },
    ]),
  ],
  'be there': (p) => ['POST', '/users/me/presence', { status: p.of(['active', 'idle']) }],
  'alert words': (p) => [
    p.of(['POST', 'DELETE']),
    '/users/me/alert_words',
    { alert_words: [p.word(), p.word()] },
  ],
  'fill a profile': (p) => [
    'PATCH',
    '/users/me/profile_data',
    { data: [{ id: p.id('profile_fields'), value: p.of(['', 'some text', 'other *text*']) }] },
  ],
  'empty a profile': (p) => ['DELETE', '/users/me/profile_data', { data: [p.id('profile_fields')] }],
  'make a profile field': (p) => [
    'POST',
    '/realm/profile_fields',
    { name: p.word(), field_type: p.of([1, 2]), display_in_profile_summary: p.maybe(p.yes()) },
  ],
  'change a profile field': (p) => [
    'PATCH',
    `/realm/profile_fields/${p.id('profile_fields')}`,
    { name: p.word(), hint: p.word() },
  ],
  'delete a profile field': (p) => ['DELETE', `/realm/profile_fields/${p.id('profile_fields')}`],
  'make a bot': (p) => [
    'POST',
    '/bots',
    { full_name: p.word(), short_name: p.word().toLowerCase(), bot_type: 1 },
  ],
  'change a bot': (p) => [
    'PATCH',
    `/bots/${p.bot()}`,
    p.of<Params>([
      { full_name: p.word() },
      { bot_owner_id: p.id('users') },
      { default_sending_stream: p.channelName() },
    ]),
  ],
  'end a bot': (p) => ['DELETE', `/bots/${p.bot()}`],
  'make a group': (p) => [
    'POST',
    '/user_groups/create',
    {
      name: p.word(),
      description: p.word(),
      members: p.ids('users'),
      subgroups: p.maybe(p.ids('user_groups')),
    },
  ],
  'change a group': (p) => [
    'PATCH',
    `/user_groups/${p.group()}`,
    p.of<Params>([{ name: p.word() }, { description: p.word() }, permissionOf(p, groupPermissionNames)]),
  ],
  'change members': (p) => [
    'POST',
    `/user_groups/${p.group()}/members`,
    { add: p.maybe(p.ids('users')), delete: p.maybe([p.id('users')]) },
  ],
  'change subgroups': (p) => [
    'POST',
    `/user_groups/${p.group()}/subgroups`,
    { add: p.maybe(p.ids('user_groups')), delete: p.maybe([p.id('user_groups')]) },
  ],
  'deactivate a group': (p) => ['POST', `/user_groups/${p.group()}/deactivate`],
  'change the organization': (p) => ['PATCH', '/realm', realmChanges(p)],
  'add an emoji': (p) => ({ method: 'POST', path: `/realm/emoji/${p.word().toLowerCase()}`, file: picture }),
  'end an emoji': (p) => ['DELETE', `/realm/emoji/${p.word().toLowerCase()}`],
  'make a linkifier': (p) => [
    'POST',
    '/realm/filters',
    { pattern: `${p.word()}-(?P<id>[0-9]+)`, url_template: 'https://example.org/{id}' },
  ],
  'delete a linkifier': (p) => ['DELETE', `/realm/filters/${p.id('linkifiers')}`],
  'make a playground': (p) => [
    'POST',
    '/realm/playgrounds',
    { name: p.word(), pygments_language: 'Python', url_template: 'https://example.org/{code}' },
  ],
  'delete a playground': (p) => ['DELETE', `/realm/playgrounds/${p.id('playgrounds')}`],
  'allow a domain': (p) => [
    'POST',
    '/realm/domains',
    { domain: `${p.word().toLowerCase()}.example`, allow_subdomains: p.yes() },
  ],
  'change a domain': (p) => [
    p.of(['PATCH', 'DELETE']),
    `/realm/domains/${p.word().toLowerCase()}.example`,
    { allow_subdomains: p.yes() },
  ],
  'make a draft': (p) => ['POST', '/drafts', { drafts: [draft(p)] }],
  'change a draft': (p) => ['PATCH', `/drafts/${p.id('drafts')}`, { draft: draft(p) }],
  'delete a draft': (p) => ['DELETE', `/drafts/${p.id('drafts')}`],
  'make a snippet': (p) => ['POST', '/saved_snippets', { title: p.word(), content: 'text' }],
  'change a snippet': (p) => ['PATCH', `/saved_snippets/${p.id('saved_snippets')}`, { title: p.word() }],
  'delete a snippet': (p) => ['DELETE', `/saved_snippets/${p.id('saved_snippets')}`],
  'schedule a message': (p) => [
    'POST',
    '/scheduled_messages',
    { ...recipient(p), content: content(p), scheduled_delivery_timestamp: 4_000_000_000 + p.number(9) },
  ],
  'change a scheduled message': (p) => [
    'PATCH',
    `/scheduled_messages/${p.id('scheduled_messages')}`,
    { content: p.word(), scheduled_delivery_timestamp: 4_000_000_000 + p.number(9) },
  ],
  'delete a scheduled message': (p) => ['DELETE', `/scheduled_messages/${p.id('scheduled_messages')}`],
  'finish an introduction': (p) => [
    'POST',
    '/users/me/onboarding_steps',
    {
      onboarding_step: p.of([
        'intro_inbox_view_modal',
        'intro_recent_view_modal',
        'visibility_policy_banner',
      ]),
    },
  ],
  'allow calls': (p) => ['POST', '/users/me/call_token', { value: p.yes() }],
}

const draft = (p: Picker) => ({
  ...p.of([
    { type: '', to: [], topic: '' },
    { type: 'stream', to: [p.id('channels')], topic: p.topic() },
    { type: 'private', to: p.ids('users'), topic: '' },
  ]),
  content: p.word(),
  timestamp: 1_700_000_000 + p.number(5),
})

/** Messages and channels more often than the rest, since most hangs on them. */
const weights: Record<string, number> = {
  'send a message': 5,
  'send a direct message': 2,
  'make a channel': 3,
  subscribe: 3,
  'change a channel': 4,
  'change a user': 3,
  'move messages': 2,
  'change members': 2,
  'change the organization': 2,
}

export const step = (people: number): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.oneof(
      ...Object.keys(kinds).map((kind) => ({ arbitrary: fc.constant(kind), weight: weights[kind] ?? 1 })),
    ),
    by: fc.nat(people - 1),
    picks: fc.array(fc.nat(999), { minLength: 7, maxLength: 7 }),
  })

/** What administrators do, mostly. */
const administrative =
  /organization|domain|newcomers|default|channel|group|members|bot|user|profile field|linkifier|playground|emoji|delete a/

/** Tries a step. What is refused changes nothing, which is as good a step as another. @returns what was sent */
export async function take(server: TestServer, people: readonly Person[], realmId: number, step: Step) {
  const [first = 0] = step.picks
  const among = administrative.test(step.kind) && first % 4 !== 0 ? people.slice(0, 2) : people
  const person = among[step.by % among.length] as Person
  const ctx = new RealmContext(
    server.running.server,
    realmById(server.running.server.database, realmId) as never,
  )
  const request = kinds[step.kind]?.(new Picker(ctx, step.picks, person.id))
  if (!request) throw new Error(`There is no ${step.kind}`)
  if (!Array.isArray(request)) {
    return {
      request,
      by: person.email,
      reply: await person.send(request.method, request.path, { name: 'x.png', bytes: request.file }),
    }
  }
  const [method, path, params] = request
  const reply = await person.request(method, path, params)
  return { request, by: person.email, reply }
}
