// One realm kept current: register a queue, poll it, apply each event, and start over when the queue is lost.

import {
  applyToOrganization,
  organizationTypes,
  type OrganizationSnapshot,
  type ParleyEvent,
} from '../server/contract.ts'
import type {
  BotObject,
  ChannelObject,
  EmojiObject,
  GroupObject,
  LinkifierObject,
  PermissionSetting,
  ProfileFieldObject,
  RealmSnapshot,
  UserObject,
} from '../server/contract.ts'
import { ApiError, ConnectionError, type RealmClient } from './api.ts'
import { whenReachable } from './base/connection.ts'

export type User = UserObject
export type Role = User['role']

/** `subscribers` is absent where this user may not see who is in it. */
export type Channel = ChannelObject & { subscribers?: number[] }

export type Emoji = EmojiObject
export type Group = GroupObject
export type ProfileField = ProfileFieldObject
export type Linkifier = LinkifierObject
export type Bot = BotObject

export interface RealmState extends Followed {
  me: number
  /** The organization's settings, each named `realm_…`, and what its server sets limits to. */
  settings: RealmSnapshot
  /** The deactivated ones too. */
  emoji: ReadonlyMap<string, Emoji>
  defaultChannels: ReadonlySet<number>
  users: ReadonlyMap<number, User>
  channels: ReadonlyMap<number, Channel>
  /** Deactivated ones too. */
  groups: ReadonlyMap<number, Group>
  /** Everything that is kept, under the names of the register response. */
  snapshot: OrganizationSnapshot
  max_channel_name_length: number
  max_channel_description_length: number
  permissions: Permissions
}

/** Which groups each permission may be given to. */
export type Permissions = Record<'realm' | 'stream' | 'group', Record<string, PermissionSetting>>

/** What is kept beside the snapshot. */
interface Followed {
  /** In their order. */
  profileFields: readonly ProfileField[]
  /** In their order. */
  linkifiers: readonly Linkifier[]
  bots: ReadonlyMap<number, Bot>
  /** Grows whenever the invitations are to be fetched again. */
  invitesVersion: number
}

interface Registered extends OrganizationSnapshot {
  queue_id: string
  last_event_id: number
  max_stream_name_length?: number
  max_stream_description_length?: number
  server_supported_permission_settings: Permissions
  custom_profile_fields: ProfileField[]
  realm_linkifiers: Linkifier[]
  realm_bots: Bot[]
}

type LiveEvent = { id: number } & (ParleyEvent | { type: 'heartbeat' })

/** What one queue asks for, and how its replies become state. */
export interface Feed<State> {
  parameters: Record<string, object | boolean>
  start(registered: Registered, me: number): State
  apply(state: State, event: LiveEvent): State
}

interface Realm extends RealmState {
  /** Archived while we watched: its event takes a channel off the snapshot, but administrators still see it. */
  archived: readonly Channel[]
}

const fetchTypes = [...organizationTypes, 'custom_profile_fields', 'realm_linkifiers', 'realm_bot']
// Groups are fetched under one name and told of under another.
const followedTypes = [...fetchTypes, 'user_group', 'invites_changed']

export const realmFeed: Feed<Realm> = {
  parameters: {
    event_types: followedTypes,
    fetch_event_types: fetchTypes,
    include_subscribers: true,
    client_capabilities: {
      archived_channels: true,
      empty_topic_name: true,
      include_deactivated_groups: true,
      linkifier_url_template: true,
      notification_settings_null: true,
      user_settings_object: true,
    },
  },
  start: (registered, me) => ({
    me,
    max_channel_name_length: registered.max_stream_name_length ?? 60,
    max_channel_description_length: registered.max_stream_description_length ?? 1024,
    permissions: registered.server_supported_permission_settings,
    profileFields: registered.custom_profile_fields,
    linkifiers: registered.realm_linkifiers,
    invitesVersion: 0,
    bots: new Map(registered.realm_bots.map((bot) => [bot.user_id, bot])),
    ...view(registered, []),
  }),
  apply: (state, event) => {
    // Heartbeats, and whatever a newer server may send: clients must tolerate the unknown.
    if (!followed.has(event.type)) return state
    const archived = archivedAfter(state, event)
    return {
      ...state,
      ...followedAfter(state, event),
      ...view(applyToOrganization(state.snapshot, event, state.me), archived),
    }
  },
}

const followed: ReadonlySet<string> = new Set(followedTypes)

function followedAfter(state: Realm, event: LiveEvent): Partial<Followed> {
  switch (event.type) {
    case 'custom_profile_fields':
      return { profileFields: event.fields }
    case 'realm_linkifiers':
      return { linkifiers: event.realm_linkifiers }
    case 'realm_bot':
      return { bots: botsAfter(state.bots, event) }
    case 'invites_changed':
      return { invitesVersion: state.invitesVersion + 1 }
    default:
      return {}
  }
}

function botsAfter(bots: ReadonlyMap<number, Bot>, event: Extract<LiveEvent, { type: 'realm_bot' }>) {
  const next = new Map(bots)
  const id = event.bot.user_id
  const known = bots.get(id)
  if (event.op === 'add') next.set(id, event.bot)
  else if (event.op === 'delete') next.delete(id)
  else if (known) next.set(id, { ...known, ...event.bot } as Bot)
  return next
}

function view(snapshot: OrganizationSnapshot, archived: readonly Channel[]) {
  const users = [...snapshot.realm_users, ...snapshot.realm_non_active_users]
  const channels = [...snapshot.never_subscribed, ...snapshot.unsubscribed, ...snapshot.subscriptions]
  return {
    snapshot,
    archived,
    // It came with the snapshot that `register` answered, and every event leaves there what it does not change.
    settings: snapshot as unknown as RealmSnapshot,
    emoji: new Map(Object.entries(snapshot.realm_emoji)),
    defaultChannels: new Set(snapshot.realm_default_streams),
    users: new Map(users.map((user) => [user.user_id, user])),
    groups: new Map(snapshot.realm_user_groups.map((group) => [group.id, group])),
    channels: new Map([...archived, ...channels].map((channel) => [channel.stream_id, channel])),
  }
}

function archivedAfter(state: Realm, event: LiveEvent): readonly Channel[] {
  if (event.type !== 'stream' || event.op !== 'delete') return state.archived
  const gone = event.stream_ids.map((id) => state.channels.get(id)).filter((channel) => channel !== undefined)
  return [...state.archived, ...gone.map((channel) => ({ ...channel, is_archived: true }))]
}

export interface Listener<State> {
  state(state: State): void
  /** Told when following fails for a reason that waiting alone may not mend; null once it works again. */
  problem(error: Error | null): void
}

/** Follows one realm until `signal` aborts. Never rejects. */
export async function follow<State>(
  client: RealmClient,
  feed: Feed<State>,
  listener: Listener<State>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOneQueue(client, feed, signal, (state) => {
        failures = 0
        listener.state(state)
        listener.problem(null)
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ConnectionError) {
        await whenReachable(signal).catch(() => undefined)
        continue
      }
      if (error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID' && failures++ === 0) continue
      listener.problem(error instanceof Error ? error : new Error(String(error)))
      await pause(Math.min(30_000, 1000 * 2 ** failures++), signal)
    }
  }
}

async function followOneQueue<State>(
  client: RealmClient,
  feed: Feed<State>,
  signal: AbortSignal,
  tell: (state: State) => void,
): Promise<never> {
  const { user_id } = await client.access()
  const snapshot = await client.call<Registered>('POST', '/register', feed.parameters, { signal })
  const { queue_id } = snapshot
  // Leaving politely: otherwise the queue would stay on the Activity page until it idles out.
  const leave = () =>
    void client.call('DELETE', '/events', { queue_id }, { keepalive: true }).catch(() => undefined)
  if (signal.aborted) {
    leave()
    throw signal.reason
  }
  signal.addEventListener('abort', leave)
  globalThis.addEventListener?.('pagehide', leave)
  try {
    let state = feed.start(snapshot, user_id)
    tell(state)
    let last_event_id = snapshot.last_event_id
    for (;;) {
      const events = await poll(client, { queue_id, last_event_id }, signal)
      let next = state
      for (const event of events) {
        last_event_id = Math.max(last_event_id, event.id)
        next = feed.apply(next, event)
      }
      if (next !== state) tell(next)
      state = next
    }
  } finally {
    signal.removeEventListener('abort', leave)
    globalThis.removeEventListener?.('pagehide', leave)
  }
}

/** A cable pulled for a moment does not cost the queue: the same poll is made again when the server answers. */
async function poll(
  client: RealmClient,
  position: { queue_id: string; last_event_id: number },
  signal: AbortSignal,
): Promise<LiveEvent[]> {
  for (;;) {
    try {
      const reply = await client.call<{ events: LiveEvent[] }>('GET', '/events', position, { signal })
      return reply.events
    } catch (error) {
      if (signal.aborted || !(error instanceof ConnectionError)) throw error
      await whenReachable(signal)
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
