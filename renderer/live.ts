// One realm kept current: register a queue, poll it, apply each event, and start over when the queue is lost.

import { ApiError, ConnectionError, type RealmClient } from './api.ts'
import { whenReachable } from './base/connection.ts'

export type Role = 100 | 200 | 300 | 400 | 600

export interface User {
  user_id: number
  email: string
  delivery_email: string | null
  full_name: string
  role: Role
  is_active: boolean
  is_bot: boolean
  bot_type: number | null
  bot_owner_id?: number | null
  date_joined: string
  avatar_url?: string | null
}

export interface Channel {
  stream_id: number
  name: string
  description: string
  invite_only: boolean
  is_web_public: boolean
  is_archived: boolean
  date_created: number
  creator_id: number | null
  /** Absent where this user may not see who is in it. */
  subscribers?: number[]
}

export interface RealmState {
  me: number
  users: ReadonlyMap<number, User>
  channels: ReadonlyMap<number, Channel>
  max_channel_name_length: number
  max_channel_description_length: number
}

type WireUser = Omit<User, 'is_active'> & { is_active?: boolean }

export interface Snapshot {
  queue_id: string
  last_event_id: number
  user_id?: number
  realm_users: WireUser[]
  realm_non_active_users: WireUser[]
  subscriptions: Channel[]
  unsubscribed: Channel[]
  never_subscribed: Channel[]
  max_stream_name_length?: number
  max_stream_description_length?: number
}

export type UserEvent =
  | { type: 'realm_user'; op: 'add'; person: WireUser }
  | { type: 'realm_user'; op: 'remove'; person: { user_id: number } }
  | { type: 'realm_user'; op: 'update'; person: { user_id: number; new_email?: string } & Partial<User> }

export type ChannelEvent =
  | { type: 'stream'; op: 'create'; streams: Channel[] }
  | { type: 'stream'; op: 'delete'; stream_ids?: number[]; streams?: { stream_id: number }[] }
  | {
      type: 'stream'
      op: 'update'
      stream_id: number
      property: string
      value: unknown
      is_web_public?: boolean
    }

export type SubscriptionEvent =
  | { type: 'subscription'; op: 'add'; subscriptions: Channel[] }
  | { type: 'subscription'; op: 'remove'; subscriptions: { stream_id: number }[] }
  | { type: 'subscription'; op: 'peer_add' | 'peer_remove'; stream_ids: number[]; user_ids: number[] }
  | { type: 'subscription'; op: 'update'; stream_id: number; property: string; value: unknown }

export type RealmEvent = UserEvent | ChannelEvent | SubscriptionEvent

/** What one queue asks for, and how its replies become state. */
export interface Feed<State> {
  parameters: Record<string, object | boolean>
  start(snapshot: Snapshot, me: number): State
  apply(state: State, event: RealmEvent): State
}

export const realmFeed: Feed<RealmState> = {
  parameters: {
    event_types: ['realm_user', 'stream', 'subscription'],
    fetch_event_types: ['realm', 'realm_user', 'stream', 'subscription'],
    include_subscribers: true,
    client_capabilities: {
      archived_channels: true,
      empty_topic_name: true,
      notification_settings_null: true,
      user_settings_object: true,
    },
  },
  start: startRealm,
  apply: applyRealmEvent,
}

export function startRealm(snapshot: Snapshot, me: number): RealmState {
  const users = new Map<number, User>()
  for (const user of snapshot.realm_users) users.set(user.user_id, { ...user, is_active: true })
  for (const user of snapshot.realm_non_active_users) users.set(user.user_id, { ...user, is_active: false })
  const channels = new Map<number, Channel>()
  for (const list of [snapshot.never_subscribed, snapshot.unsubscribed, snapshot.subscriptions])
    for (const channel of list) channels.set(channel.stream_id, channel)
  return {
    me: snapshot.user_id ?? me,
    users,
    channels,
    max_channel_name_length: snapshot.max_stream_name_length ?? 60,
    max_channel_description_length: snapshot.max_stream_description_length ?? 1024,
  }
}

export function applyRealmEvent(state: RealmState, event: RealmEvent): RealmState {
  switch (event.type) {
    case 'realm_user':
      return { ...state, users: applyUserEvent(state.users, event) }
    case 'stream':
      return { ...state, channels: applyChannelEvent(state.channels, event) }
    case 'subscription':
      return { ...state, channels: applySubscriptionEvent(state.channels, event, state.me) }
    default:
      // Heartbeats, and whatever a newer server sends: clients must tolerate the unknown.
      event satisfies never
      return state
  }
}

function applyUserEvent(users: RealmState['users'], event: UserEvent): RealmState['users'] {
  const next = new Map(users)
  const id = event.person.user_id
  switch (event.op) {
    case 'add':
      next.set(id, { ...event.person, is_active: event.person.is_active ?? true })
      return next
    case 'remove':
      next.delete(id)
      return next
    case 'update': {
      const { new_email, ...changes } = event.person
      const before = users.get(id)
      if (!before) return users
      next.set(id, { ...before, ...changes, ...(new_email !== undefined && { email: new_email }) })
      return next
    }
    default:
      event satisfies never
      return users
  }
}

function applyChannelEvent(channels: RealmState['channels'], event: ChannelEvent): RealmState['channels'] {
  const next = new Map(channels)
  switch (event.op) {
    case 'create':
      // Also sent when a channel comes back from the archive; who is in it is told by other events.
      for (const channel of event.streams)
        next.set(channel.stream_id, {
          ...channel,
          subscribers: channel.subscribers ?? channels.get(channel.stream_id)?.subscribers ?? [],
        })
      return next
    case 'delete':
      // At this feature level archiving is announced so; an administrator still sees the archived channel.
      for (const id of event.stream_ids ?? event.streams?.map((channel) => channel.stream_id) ?? [])
        change(next, id, (channel) => ({ ...channel, is_archived: true }))
      return next
    case 'update':
      change(next, event.stream_id, (channel) => ({
        ...channel,
        [event.property]: event.value,
        ...(event.is_web_public !== undefined && { is_web_public: event.is_web_public }),
      }))
      return next
    default:
      event satisfies never
      return channels
  }
}

function applySubscriptionEvent(
  channels: RealmState['channels'],
  event: SubscriptionEvent,
  me: number,
): RealmState['channels'] {
  const next = new Map(channels)
  switch (event.op) {
    case 'add':
      for (const channel of event.subscriptions)
        next.set(channel.stream_id, {
          ...channel,
          subscribers: channel.subscribers ?? channels.get(channel.stream_id)?.subscribers,
        })
      return next
    case 'remove':
      for (const { stream_id } of event.subscriptions)
        change(next, stream_id, (channel) => without(channel, [me]))
      return next
    case 'peer_add':
      for (const id of event.stream_ids)
        change(next, id, (channel) => ({
          ...channel,
          subscribers: [...new Set([...(channel.subscribers ?? []), ...event.user_ids])],
        }))
      return next
    case 'peer_remove':
      for (const id of event.stream_ids) change(next, id, (channel) => without(channel, event.user_ids))
      return next
    case 'update':
      // A personal setting of this user (colour, mute …): nothing that these pages show.
      return channels
    default:
      event satisfies never
      return channels
  }
}

function without(channel: Channel, userIds: number[]): Channel {
  return { ...channel, subscribers: channel.subscribers?.filter((id) => !userIds.includes(id)) }
}

function change(channels: Map<number, Channel>, id: number, edit: (channel: Channel) => Channel): void {
  const channel = channels.get(id)
  if (channel) channels.set(id, edit(channel))
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
  const snapshot = await client.call<Snapshot>('POST', '/register', feed.parameters, { signal })
  const { queue_id } = snapshot
  // Leaving politely: otherwise the queue would stay on the Activity page until it idles out.
  const leave = () =>
    void client.call('DELETE', '/events', { queue_id }, { keepalive: true }).catch(() => undefined)
  if (signal.aborted) {
    leave()
    throw signal.reason
  }
  signal.addEventListener('abort', leave)
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
  }
}

/** A cable pulled for a moment does not cost the queue: the same poll is made again when the server answers. */
async function poll(
  client: RealmClient,
  position: { queue_id: string; last_event_id: number },
  signal: AbortSignal,
): Promise<(RealmEvent & { id: number })[]> {
  for (;;) {
    try {
      const reply = await client.call<{ events: (RealmEvent & { id: number })[] }>(
        'GET',
        '/events',
        position,
        { signal },
      )
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
