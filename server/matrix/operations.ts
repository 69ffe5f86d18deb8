/**
 * Every operation of the interface: a request that is as it should be, and who may make it. The contract names the
 * operations; who may follows from the specification, the contract's notes, and an organization's settings as they
 * come.
 */
import type { Person } from '../test/boot.ts'
import { type Insider, insiders, type Outsider, picture, type World } from './world.ts'

/** Parameters of the path, the query and the body, together; `file` is the part that is one. */
export type Request = Record<string, unknown> & {
  file?: { name: string; bytes: Uint8Array | string; type?: string }
}

export interface Operation {
  allowed: readonly (Insider | Outsider)[]
  /** Makes what the request needs, for a caller who may. */
  request: (world: World, caller: Person) => Request | Promise<Request>
  /** What a caller with right credentials is refused with. */
  refusal: { code: string; status: number }
  /** It would spoil the world for those who come after. */
  spoils: boolean
  /** What those are refused with whom the operation serves all the same, such as an owner who may not leave. */
  exceptions: Partial<Record<Insider | Outsider, { code: string; status: number }>>
}

type Recipe = Operation['request']
const rule =
  (allowed: Operation['allowed']) =>
  (request: Recipe = () => ({}), rest: Partial<Operation> = {}): Operation => ({
    allowed,
    request,
    refusal: { code: 'BAD_REQUEST', status: 400 },
    spoils: false,
    exceptions: {},
    ...rest,
  })

const anyone = rule([...insiders, 'webhook', 'deactivated', 'spectator', 'wrongKey', 'stranger'])
const everybody = rule(insiders)
const people = rule(['owner', 'administrator', 'moderator', 'member', 'guest'])
const members = rule(['owner', 'administrator', 'moderator', 'member', 'bot'])
const humanMembers = rule(['owner', 'administrator', 'moderator', 'member'])
const administrators = rule(['owner', 'administrator'])
const owners = rule(['owner'])

const draft = (world: World) => ({
  type: 'private',
  to: [world.other.id],
  topic: '',
  content: 'Later',
  timestamp: 1_700_000_000,
})
const soon = () => Math.floor(Date.now() / 1000) + 3600
const scheduled = (world: World) => ({
  type: 'direct',
  to: [world.other.id],
  content: 'Later',
  scheduled_delivery_timestamp: soon(),
})
const thumb = { emoji_name: '+1' }

export const operations: Readonly<Record<string, Operation>> = {
  'GET /server_settings': anyone(),
  'POST /dev_fetch_api_key': anyone((w) => ({ username: w.other.email })),
  'POST /fetch_api_key': anyone(async (w) => {
    const email = `${w.name('signer')}@test.example`
    await w.owner.post('/users', { email, full_name: 'Signer', password: 'correct horse battery' })
    return { username: email, password: 'correct horse battery' }
  }),

  'POST /register': everybody(() => ({ fetch_event_types: [] })),
  'GET /events': everybody(async (_w, me) => {
    await me.listen()
    return { queue_id: me.queueId, last_event_id: -1, dont_block: true }
  }),
  'DELETE /events': everybody(async (_w, me) => {
    await me.listen()
    return { queue_id: me.queueId }
  }),

  'GET /users': everybody(),
  'POST /users': administrators((w) => ({
    email: `${w.name('new')}@test.example`,
    full_name: 'New',
    password: 'correct horse battery',
  })),
  'GET /users/me': everybody(),
  'DELETE /users/me': people(undefined, {
    spoils: true,
    exceptions: { owner: { code: 'CANNOT_DEACTIVATE_LAST_USER', status: 400 } },
  }),
  'POST /users/me/api_key/regenerate': people(undefined, { spoils: true }),
  'POST /users/me/avatar': everybody(() => ({ file: picture })),
  'DELETE /users/me/avatar': everybody(),
  'PATCH /users/me/profile_data': people(async (w) => {
    const { id } = await w.owner.post('/realm/profile_fields', { field_type: 1, name: w.name('field') })
    return { data: [{ id, value: 'x' }] }
  }),
  'DELETE /users/me/profile_data': people(async (w) => {
    const { id } = await w.owner.post('/realm/profile_fields', { field_type: 1, name: w.name('field') })
    return { data: [id] }
  }),
  'GET /users/{user_id}': everybody((w) => ({ user_id: w.other.id })),
  'GET /users/{email}': everybody((w) => ({ email: w.other.email })),
  'PATCH /users/{user_id}': administrators((w) => ({ user_id: w.other.id, full_name: w.name('Named') })),
  'PATCH /users/{email}': administrators((w) => ({ email: w.other.email, full_name: w.name('Named') })),
  'DELETE /users/{user_id}': administrators(async (w) => ({ user_id: (await w.person()).id })),
  'POST /users/{user_id}/reactivate': administrators(async (w) => {
    const { id } = await w.person()
    await w.owner.delete(`/users/${id}`)
    return { user_id: id }
  }),
  'GET /users/{user_id}/status': everybody((w) => ({ user_id: w.other.id })),
  'GET /users/{user_id_or_email}/presence': everybody(async (w) => {
    await w.other.post('/users/me/presence', { status: 'active' })
    return { user_id_or_email: w.other.email }
  }),
  'GET /users/{user_id}/subscriptions/{stream_id}': everybody(async (w) => ({
    user_id: w.other.id,
    stream_id: (await w.common()).id,
  })),

  'GET /users/me/alert_words': everybody(),
  'POST /users/me/alert_words': everybody((w) => ({ alert_words: [w.name('word')] })),
  'DELETE /users/me/alert_words': everybody(() => ({ alert_words: ['word'] })),
  'POST /users/me/device_push_reg_id': everybody((w) => ({ token: w.name('token') })),
  'DELETE /users/me/device_push_reg_id': everybody(async (w, me) => {
    const token = w.name('token')
    await me.post('/users/me/device_push_reg_id', { token })
    return { token }
  }),
  'POST /users/me/call_token': everybody(() => ({ value: true })),
  'POST /users/me/onboarding_steps': everybody(() => ({ onboarding_step: 'intro_inbox_view_modal' })),
  'POST /users/me/muted_users/{muted_user_id}': everybody(async (w) => ({
    muted_user_id: (await w.person()).id,
  })),
  'DELETE /users/me/muted_users/{muted_user_id}': everybody(async (w, me) => {
    const { id } = await w.person()
    await me.post(`/users/me/muted_users/${id}`)
    return { muted_user_id: id }
  }),
  'POST /users/me/presence': people(() => ({ status: 'active' })),
  'GET /realm/presence': everybody(),
  'POST /users/me/status': everybody((w) => ({ status_text: w.name('busy') })),
  'PATCH /settings': people(() => ({ twenty_four_hour_time: true })),

  'GET /bots': people(),
  'POST /bots': humanMembers((w) => ({ full_name: w.name('Robot'), short_name: w.name('robot') })),
  'PATCH /bots/{bot_id}': administrators(async (w) => ({
    bot_id: await w.botOf(w.owner),
    full_name: w.name('Machine'),
  })),
  'DELETE /bots/{bot_id}': administrators(async (w) => ({ bot_id: await w.botOf(w.owner) })),
  'GET /bots/{bot_id}/api_key': administrators(async (w) => ({ bot_id: await w.botOf(w.owner) })),
  'POST /bots/{bot_id}/api_key/regenerate': administrators(async (w) => ({
    bot_id: await w.botOf(w.owner),
  })),

  'GET /streams': everybody(),
  'GET /streams/{stream_id}': everybody(async (w) => ({ stream_id: (await w.common()).id })),
  'PATCH /streams/{stream_id}': administrators(async (w) => ({
    stream_id: (await w.channel()).id,
    description: 'Changed',
  })),
  'DELETE /streams/{stream_id}': administrators(async (w) => ({ stream_id: (await w.channel()).id })),
  'GET /get_stream_id': everybody(async (w) => ({ stream: (await w.common()).name })),
  'GET /streams/{stream_id}/members': everybody(async (w) => ({ stream_id: (await w.common()).id })),
  'GET /streams/{stream_id}/email_address': everybody(async (w) => ({ stream_id: (await w.common()).id })),
  'POST /streams/{stream_id}/delete_topic': administrators(
    async (w) => {
      const { id, name } = await w.channel()
      await w.owner.say(name, 'old', 'Away with it')
      return { stream_id: id, topic_name: 'old' }
    },
    { refusal: { code: 'UNAUTHORIZED_PRINCIPAL', status: 400 } },
  ),
  'GET /users/me/{stream_id}/topics': everybody(async (w) => ({ stream_id: (await w.common()).id })),
  'POST /default_streams': administrators(async (w) => ({ stream_id: (await w.channel()).id })),
  'DELETE /default_streams': administrators(async (w) => {
    const { id } = await w.channel()
    await w.owner.post('/default_streams', { stream_id: id })
    return { stream_id: id }
  }),
  'GET /users/me/subscriptions': everybody(),
  'POST /users/me/subscriptions': members((w) => ({ subscriptions: [{ name: w.name('new') }] })),
  'PATCH /users/me/subscriptions': members((w) => ({ add: [{ name: w.name('new') }] })),
  'DELETE /users/me/subscriptions': everybody(async (w) => ({ subscriptions: [(await w.channel()).name] })),
  'POST /users/me/subscriptions/properties': everybody(async (w) => ({
    subscription_data: [{ stream_id: (await w.common()).id, property: 'pin_to_top', value: true }],
  })),
  'PATCH /users/me/subscriptions/muted_topics': everybody(async (w) => ({
    stream_id: (await w.common()).id,
    topic: 'noise',
    op: 'add',
  })),
  'POST /user_topics': everybody(async (w) => ({
    stream_id: (await w.common()).id,
    topic: 'news',
    visibility_policy: 3,
  })),
  'POST /default_stream_groups/create': administrators(async (w) => ({
    group_name: w.name('bundle'),
    description: 'Several',
    stream_names: [(await w.common()).name],
  })),
  'PATCH /default_stream_groups/{group_id}': administrators(async (w) => ({
    group_id: await bundle(w),
    new_group_name: w.name('bundle'),
  })),
  'DELETE /default_stream_groups/{group_id}': administrators(async (w) => ({ group_id: await bundle(w) })),
  'PATCH /default_stream_groups/{group_id}/streams': administrators(async (w) => ({
    group_id: await bundle(w),
    op: 'add',
    stream_names: [(await w.channel()).name],
  })),

  'POST /messages': rule([...insiders, 'webhook'])(async (w) => ({
    type: 'channel',
    to: (await w.common()).name,
    topic: 'news',
    content: 'Hello',
  })),
  'GET /messages': everybody(async (w) => ({
    anchor: await w.message(),
    num_before: 1,
    num_after: 1,
    narrow: [],
  })),
  'GET /messages/matches_narrow': everybody(async (w) => ({ msg_ids: [await w.message()], narrow: [] })),
  'GET /messages/{message_id}': everybody(async (w) => ({ message_id: await w.message() })),
  'PATCH /messages/{message_id}': everybody(async (w, me) => ({
    message_id: await w.message(me),
    content: 'Better',
  })),
  'DELETE /messages/{message_id}': administrators(async (w) => ({ message_id: await w.message() })),
  'GET /messages/{message_id}/history': everybody(async (w) => ({ message_id: await w.message() })),
  'GET /messages/{message_id}/read_receipts': everybody(async (w) => ({ message_id: await w.message() })),
  'POST /messages/{message_id}/reactions': everybody(async (w) => ({
    message_id: await w.message(),
    ...thumb,
  })),
  'DELETE /messages/{message_id}/reactions': everybody(async (w, me) => {
    const message_id = await w.message()
    await me.post(`/messages/${message_id}/reactions`, thumb)
    return { message_id, ...thumb }
  }),
  'POST /messages/{message_id}/typing': everybody(async (w, me) => ({
    message_id: await w.message(me),
    op: 'start',
  })),
  'POST /messages/flags': everybody(async (w) => ({
    messages: [await w.message()],
    op: 'add',
    flag: 'starred',
  })),
  'POST /messages/flags/narrow': everybody(async (w) => ({
    anchor: await w.message(),
    num_before: 0,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
  })),
  'POST /messages/render': everybody(() => ({ content: '**bold**' })),
  'POST /mark_all_as_read': everybody(),
  'POST /mark_stream_as_read': everybody(async (w) => ({ stream_id: (await w.common()).id })),
  'POST /mark_topic_as_read': everybody(async (w) => {
    const { id, name } = await w.common()
    await w.owner.say(name, 'news', 'Hello')
    return { stream_id: id, topic_name: 'news' }
  }),
  'POST /typing': everybody((w) => ({ type: 'direct', op: 'start', to: [w.other.id] })),
  'POST /submessage': everybody(async (w, me) => ({
    message_id: await w.message(me, '/poll Tea?\nYes\nNo'),
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
  })),

  'GET /drafts': everybody(),
  'POST /drafts': everybody((w) => ({ drafts: [draft(w)] })),
  'PATCH /drafts/{draft_id}': everybody(async (w, me) => ({
    draft_id: (await me.post('/drafts', { drafts: [draft(w)] }))['ids'][0],
    draft: { ...draft(w), content: 'Even later' },
  })),
  'DELETE /drafts/{draft_id}': everybody(async (w, me) => ({
    draft_id: (await me.post('/drafts', { drafts: [draft(w)] }))['ids'][0],
  })),
  'GET /saved_snippets': everybody(),
  'POST /saved_snippets': everybody(() => ({ title: 'Hi', content: 'Hello!' })),
  'PATCH /saved_snippets/{saved_snippet_id}': everybody(async (_w, me) => ({
    saved_snippet_id: (await me.post('/saved_snippets', { title: 'Hi', content: 'Hello!' }))[
      'saved_snippet_id'
    ],
    title: 'Ho',
  })),
  'DELETE /saved_snippets/{saved_snippet_id}': everybody(async (_w, me) => ({
    saved_snippet_id: (await me.post('/saved_snippets', { title: 'Hi', content: 'Hello!' }))[
      'saved_snippet_id'
    ],
  })),
  'GET /scheduled_messages': everybody(),
  'POST /scheduled_messages': everybody(scheduled),
  'PATCH /scheduled_messages/{scheduled_message_id}': everybody(async (w, me) => ({
    scheduled_message_id: (await me.post('/scheduled_messages', scheduled(w)))['scheduled_message_id'],
    content: 'Even later',
  })),
  'DELETE /scheduled_messages/{scheduled_message_id}': everybody(async (w, me) => ({
    scheduled_message_id: (await me.post('/scheduled_messages', scheduled(w)))['scheduled_message_id'],
  })),

  'POST /user_uploads': everybody(() => ({ file: { name: 'note.txt', bytes: 'hello' } })),
  'GET /user_uploads/{realm_id_str}/{filename}': everybody(async (w, me) => {
    const [realm_id_str, ...rest] = (await w.upload(me)).split('/')
    return { realm_id_str, filename: rest.join('/') }
  }),
  'GET /attachments': everybody(),
  'DELETE /attachments/{attachment_id}': everybody(async (w, me) => {
    await w.upload(me)
    const { attachments } = await me.get('/attachments')
    return { attachment_id: attachments[0].id }
  }),

  'GET /user_groups': humanMembers(),
  'POST /user_groups/create': humanMembers((w) => ({ name: w.name('group'), description: '', members: [] })),
  'PATCH /user_groups/{user_group_id}': owners(async (w) => ({
    user_group_id: await w.group(),
    description: 'Changed',
  })),
  'POST /user_groups/{user_group_id}/deactivate': owners(async (w) => ({ user_group_id: await w.group() })),
  'GET /user_groups/{user_group_id}/members': everybody(async (w) => ({ user_group_id: await w.group() })),
  'POST /user_groups/{user_group_id}/members': owners(async (w) => ({
    user_group_id: await w.group(),
    add: [w.other.id],
  })),
  'GET /user_groups/{user_group_id}/members/{user_id}': everybody(async (w) => ({
    user_group_id: await w.group(),
    user_id: w.other.id,
  })),
  'GET /user_groups/{user_group_id}/subgroups': everybody(async (w) => ({ user_group_id: await w.group() })),
  'POST /user_groups/{user_group_id}/subgroups': owners(async (w) => ({
    user_group_id: await w.group(),
    add: [await w.group()],
  })),

  'GET /realm/emoji': everybody(),
  'POST /realm/emoji/{emoji_name}': members((w) => ({ emoji_name: w.name('emoji'), file: picture })),
  'DELETE /realm/emoji/{emoji_name}': administrators(async (w) => {
    const emoji_name = w.name('emoji')
    await w.owner.send('POST', `/realm/emoji/${emoji_name}`, picture)
    return { emoji_name }
  }),
  'GET /realm/linkifiers': everybody(),
  'PATCH /realm/linkifiers': administrators(async (w) => {
    await linkifier(w)
    const { linkifiers } = await w.owner.get('/realm/linkifiers')
    return { ordered_linkifier_ids: linkifiers.map(({ id }: { id: number }) => id).reverse() }
  }),
  'POST /realm/filters': administrators((w) => ({
    pattern: `${w.name('BUG')}-(?P<id>[0-9]+)`,
    url_template: 'https://bugs.example/{id}',
  })),
  'PATCH /realm/filters/{filter_id}': administrators(async (w) => ({
    filter_id: await linkifier(w),
    pattern: `${w.name('BUG')}-(?P<id>[0-9]+)`,
    url_template: 'https://bugs.example/{id}',
  })),
  'DELETE /realm/filters/{filter_id}': administrators(async (w) => ({ filter_id: await linkifier(w) })),
  'POST /realm/playgrounds': administrators((w) => ({
    name: w.name('Play'),
    pygments_language: 'Python',
    url_template: 'https://play.example/?code={code}',
  })),
  'DELETE /realm/playgrounds/{playground_id}': administrators(async (w) => ({
    playground_id: (
      await w.owner.post('/realm/playgrounds', {
        name: w.name('Play'),
        pygments_language: 'Python',
        url_template: 'https://play.example/?code={code}',
      })
    )['id'],
  })),
  'GET /realm/profile_fields': everybody(),
  'POST /realm/profile_fields': administrators((w) => ({ field_type: 1, name: w.name('field') })),
  'PATCH /realm/profile_fields': administrators(async (w) => {
    const { custom_fields } = await w.owner.get('/realm/profile_fields')
    return { order: custom_fields.map(({ id }: { id: number }) => id).reverse() }
  }),
  'PATCH /realm/profile_fields/{field_id}': administrators(async (w) => ({
    field_id: (await w.owner.post('/realm/profile_fields', { field_type: 1, name: w.name('field') }))['id'],
    hint: 'Changed',
  })),
  'DELETE /realm/profile_fields/{field_id}': administrators(async (w) => ({
    field_id: (await w.owner.post('/realm/profile_fields', { field_type: 1, name: w.name('field') }))['id'],
  })),
  'PATCH /realm/user_settings_defaults': administrators(() => ({ twenty_four_hour_time: true })),
  'PATCH /realm': administrators((w) => ({ description: w.name('Described') })),
  'POST /realm/icon': administrators(() => ({ file: picture })),
  'DELETE /realm/icon': administrators(),
  'POST /realm/logo': administrators(() => ({ night: true, file: picture })),
  'DELETE /realm/logo': administrators(() => ({ night: true })),
  'POST /realm/deactivate': owners(undefined, { spoils: true }),
  'POST /realm/domains': owners((w) => ({ domain: `${w.name('office')}.example`, allow_subdomains: false })),
  'PATCH /realm/domains/{domain}': owners(async (w) => ({ domain: await domain(w), allow_subdomains: true })),
  'DELETE /realm/domains/{domain}': owners(async (w) => ({ domain: await domain(w) })),
  'GET /export/realm': administrators(),
  'POST /export/realm': administrators(async (w) => {
    await w.exported()
    return { export_type: 1 }
  }),
  'DELETE /export/realm/{export_id}': administrators(async (w) => {
    await w.exported()
    const { id } = await w.owner.post('/export/realm', { export_type: 1 })
    await w.exported()
    return { export_id: id }
  }),

  'GET /invites': humanMembers(),
  'POST /invites': humanMembers((w) => ({
    invitee_emails: `${w.name('guest')}@test.example`,
    stream_ids: [],
  })),
  'POST /invites/multiuse': administrators(),
  'DELETE /invites/multiuse/{invite_id}': administrators(async (w) => ({
    invite_id: await w.invitation(true),
  })),
  'DELETE /invites/{invite_id}': administrators(async (w) => ({ invite_id: await w.invitation(false) })),
  'POST /invites/{invite_id}/resend': administrators(async (w) => ({ invite_id: await w.invitation(false) })),
  'GET /export/realm/consents': administrators(),
}

async function bundle(world: World): Promise<number> {
  const group_name = world.name('bundle')
  const { name } = await world.common()
  await world.owner.post('/default_stream_groups/create', {
    group_name,
    description: 'Several',
    stream_names: [name],
  })
  const snapshot = await world.owner.post('/register', { fetch_event_types: ['default_stream_groups'] })
  return snapshot['realm_default_stream_groups'].find((one: { name: string }) => one.name === group_name).id
}

async function linkifier(world: World): Promise<number> {
  const pattern = `${world.name('BUG')}-(?P<id>[0-9]+)`
  return (await world.owner.post('/realm/filters', { pattern, url_template: 'https://bugs.example/{id}' }))[
    'id'
  ]
}

async function domain(world: World): Promise<string> {
  const name = `${world.name('office')}.example`
  await world.owner.post('/realm/domains', { domain: name, allow_subdomains: false })
  return name
}
