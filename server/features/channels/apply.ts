/** Keeps a snapshot of channels current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import { dropFromValue } from '../user-groups/apply.ts'
import { channelPermissionNames } from '../user-groups/settings.ts'
import type { ChannelObject } from './present.ts'
import type { SubscriptionSnapshot } from './snapshot.ts'

type ChannelEvent = EventOf<'stream'> | EventOf<'subscription'>
type Entry = { stream_id: number; name: string; subscribers?: number[] | undefined }

/** @param me id of the user whose snapshot it is */
export function applyToSubscriptions(
  part: SubscriptionSnapshot,
  event: ChannelEvent,
  me: number,
): SubscriptionSnapshot {
  const { subscriptions, unsubscribed, never_subscribed } = part
  const everywhere = (change: <E extends Entry>(list: E[]) => E[]): SubscriptionSnapshot => ({
    subscriptions: change(subscriptions),
    unsubscribed: change(unsubscribed),
    never_subscribed: change(never_subscribed),
  })
  switch (event.type) {
    case 'stream':
      switch (event.op) {
        case 'create': {
          const known = new Set(
            [...subscriptions, ...unsubscribed, ...never_subscribed].map((one) => one.stream_id),
          )
          const added = event.streams
            .filter(({ stream_id }) => !known.has(stream_id))
            .map((channel) => (listsSubscribers(part) ? { ...channel, subscribers: [] } : channel))
          return { ...part, never_subscribed: sorted([...never_subscribed, ...added]) }
        }
        case 'delete':
          return everywhere((list) => list.filter(({ stream_id }) => !event.stream_ids.includes(stream_id)))
        case 'update':
          return everywhere((list) => updateChannels(list, event))
      }
      break
    case 'subscription':
      switch (event.op) {
        case 'add': {
          const ids = event.subscriptions.map(({ stream_id }) => stream_id)
          const others = everywhere((list) => list.filter(({ stream_id }) => !ids.includes(stream_id)))
          const added = event.subscriptions.map(({ subscribers, ...rest }) =>
            listsSubscribers(part) ? { ...rest, subscribers: subscribers ?? [] } : rest,
          )
          return { ...others, subscriptions: sorted([...others.subscriptions, ...added]) }
        }
        case 'remove': {
          const ids = event.subscriptions.map(({ stream_id }) => stream_id)
          // Who leaves gets no peer_remove of their own.
          const leave = { op: 'peer_remove', stream_ids: ids, user_ids: [me] } as const
          const left = subscriptions
            .filter(({ stream_id }) => ids.includes(stream_id))
            .map((entry) => changePeers(entry, leave))
          return {
            ...part,
            subscriptions: subscriptions.filter(({ stream_id }) => !ids.includes(stream_id)),
            unsubscribed: sorted([...unsubscribed, ...left]),
          }
        }
        case 'update':
          return everywhere((list) =>
            list.map((entry) =>
              entry.stream_id === event.stream_id ? { ...entry, [event.property]: event.value } : entry,
            ),
          )
        case 'peer_add':
        case 'peer_remove':
          return everywhere((list) => list.map((entry) => changePeers(entry, event)))
      }
  }
  return assertNever(event)
}

export function applyToChannels(part: ChannelObject[], event: EventOf<'stream'>): ChannelObject[] {
  switch (event.op) {
    case 'create': {
      const known = new Set(part.map(({ stream_id }) => stream_id))
      return sorted([...part, ...event.streams.filter(({ stream_id }) => !known.has(stream_id))])
    }
    case 'delete':
      return part.filter(({ stream_id }) => !event.stream_ids.includes(stream_id))
    case 'update':
      return updateChannels(part, event)
    default:
      return assertNever(event)
  }
}

/** The first message of a channel tells by itself that it is the first, to those who get it. */
export function noteFirstMessage<E extends ChannelObject>(
  list: E[],
  { message: { id, stream_id } }: EventOf<'message'>,
): E[] {
  const isFirst = (channel: E) => channel.stream_id === stream_id && channel.first_message_id === null
  return list.some(isFirst)
    ? list.map((channel) => (isFirst(channel) ? { ...channel, first_message_id: id } : channel))
    : list
}

/** A deactivated user is among no subscribers, and in no permission setting. */
export function dropFromSubscriptions(part: SubscriptionSnapshot, userId: number): SubscriptionSnapshot {
  const drop = <E extends ChannelObject & Entry>(list: E[]): E[] =>
    dropFromChannels(list, userId).map((entry) =>
      entry.subscribers ? { ...entry, subscribers: entry.subscribers.filter((id) => id !== userId) } : entry,
    )
  return {
    subscriptions: drop(part.subscriptions),
    unsubscribed: drop(part.unsubscribed),
    never_subscribed: drop(part.never_subscribed),
  }
}

export const dropFromChannels = <E extends ChannelObject>(list: E[], userId: number): E[] =>
  list.map((entry) => ({
    ...entry,
    ...Object.fromEntries(channelPermissionNames.map((name) => [name, dropFromValue(entry[name], userId)])),
  }))

function updateChannels<E extends Entry>(list: E[], event: EventOf<'stream'> & { op: 'update' }): E[] {
  const { type: _type, op: _op, stream_id, name: _name, property, value, ...rest } = event
  const { id: _id, ...more } = rest as typeof rest & { id?: number }
  return list.map((entry) =>
    entry.stream_id === stream_id ? { ...entry, [property]: value, ...more } : entry,
  )
}

interface PeerEvent {
  op: 'peer_add' | 'peer_remove'
  stream_ids: readonly number[]
  user_ids: readonly number[]
}

function changePeers<E extends Entry>(entry: E, { op, stream_ids, user_ids }: PeerEvent): E {
  if (!entry.subscribers || !stream_ids.includes(entry.stream_id)) return entry
  const subscribers = new Set(entry.subscribers)
  for (const id of user_ids) {
    if (op === 'peer_add') subscribers.add(id)
    else subscribers.delete(id)
  }
  return { ...entry, subscribers: [...subscribers].sort((a, b) => a - b) }
}

/** Whether the snapshot was asked for with `include_subscribers`. Events name the subscribers in any case. */
const listsSubscribers = ({ subscriptions, unsubscribed, never_subscribed }: SubscriptionSnapshot): boolean =>
  [...subscriptions, ...unsubscribed, ...never_subscribed].every(
    ({ subscribers }) => subscribers !== undefined,
  )

const sorted = <E extends Entry>(list: E[]): E[] => list.sort((a, b) => a.stream_id - b.stream_id)

function assertNever(event: never): never {
  throw new Error(`Unknown event: ${JSON.stringify(event)}`)
}
