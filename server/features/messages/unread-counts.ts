/** What a user has not read, as clients count it. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'

/** Where an unread message stands. */
export type UnreadPlace = { mentioned: boolean } & (
  | { stream_id: number; topic: string }
  /** All who are in a direct conversation, but for the reader. */
  | { user_ids: readonly number[] }
)

/** `unread_msgs` of the register response. Ids ascend everywhere. */
export interface UnreadSnapshot {
  count: number
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  mentions: number[]
  /** There are more, and older ones, than the server counts. */
  old_unreads_missing: boolean
}

/** @param me id of the reader, who is named among a group's users but is not the other one of a pair */
export function groupUnread(
  places: ReadonlyMap<number, UnreadPlace>,
  me: number,
  old_unreads_missing: boolean,
): UnreadSnapshot {
  const pms = new Map<number, UnreadSnapshot['pms'][number]>()
  const huddles = new Map<string, UnreadSnapshot['huddles'][number]>()
  const streams = new Map<string, UnreadSnapshot['streams'][number]>()
  const mentions: number[] = []
  for (const [id, place] of [...places].sort(([a], [b]) => a - b)) {
    if (place.mentioned) mentions.push(id)
    if ('stream_id' in place) {
      const { stream_id, topic } = place
      entryOf(streams, `${stream_id} ${topic}`, { stream_id, topic }).unread_message_ids.push(id)
    } else if (place.user_ids.length > 1) {
      const user_ids_string = [...place.user_ids, me].sort((a, b) => a - b).join(',')
      entryOf(huddles, user_ids_string, { user_ids_string }).unread_message_ids.push(id)
    } else {
      const other_user_id = place.user_ids[0] ?? me
      entryOf(pms, other_user_id, { other_user_id, sender_id: other_user_id }).unread_message_ids.push(id)
    }
  }
  return {
    count: places.size,
    pms: [...pms.values()].sort((a, b) => a.other_user_id - b.other_user_id),
    huddles: [...huddles.values()].sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
    streams: [...streams.values()].sort((a, b) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1)),
    mentions,
    old_unreads_missing,
  }
}

function entryOf<Key, Fields extends object>(
  entries: Map<Key, Fields & { unread_message_ids: number[] }>,
  key: Key,
  fields: Fields,
): Fields & { unread_message_ids: number[] } {
  let entry = entries.get(key)
  if (!entry) {
    entry = { ...fields, unread_message_ids: [] }
    entries.set(key, entry)
  }
  return entry
}

function ungroup({ pms, huddles, streams, mentions }: UnreadSnapshot, me: number): Map<number, UnreadPlace> {
  const places = new Map<number, UnreadPlace>()
  const mentioned = new Set(mentions)
  const put = (ids: readonly number[], place: Omit<UnreadPlace, 'mentioned'>) => {
    for (const id of ids) places.set(id, { ...place, mentioned: mentioned.has(id) } as UnreadPlace)
  }
  for (const { other_user_id, unread_message_ids } of pms) {
    put(unread_message_ids, { user_ids: other_user_id === me ? [] : [other_user_id] })
  }
  for (const { user_ids_string, unread_message_ids } of huddles) {
    const user_ids = user_ids_string.split(',').map(Number)
    put(unread_message_ids, { user_ids: user_ids.filter((id) => id !== me) })
  }
  for (const { stream_id, topic, unread_message_ids } of streams)
    put(unread_message_ids, { stream_id, topic })
  return places
}

type UnreadEvent =
  | EventOf<'message' | 'update_message' | 'update_message_flags' | 'delete_message'>
  | Extract<EventOf<'stream'>, { op: 'delete' }>

const mentionFlags = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']
const mentions = (flags: readonly string[]): boolean => mentionFlags.some((flag) => flags.includes(flag))

/** Keeps the counts current. @param me id of the reader */
export function applyToUnread(part: UnreadSnapshot, event: UnreadEvent, me: number): UnreadSnapshot {
  const places = ungroup(part, me)
  switch (event.type) {
    case 'message': {
      if (event.flags.includes('read')) return part
      const { id, stream_id, subject, display_recipient } = event.message
      const mentioned = mentions(event.flags)
      if (stream_id !== undefined) places.set(id, { stream_id, topic: subject, mentioned })
      else if (typeof display_recipient !== 'string') {
        const user_ids = display_recipient.map((user) => user.id).filter((user) => user !== me)
        places.set(id, { user_ids, mentioned })
      }
      break
    }
    case 'update_message': {
      const { message_ids, new_stream_id, subject, message_id, flags } = event
      for (const id of message_ids) {
        const place = places.get(id)
        if (!place || !('stream_id' in place)) continue
        places.set(id, {
          ...place,
          ...(new_stream_id === undefined ? {} : { stream_id: new_stream_id }),
          ...(subject === undefined ? {} : { topic: subject }),
        })
      }
      const edited = places.get(message_id)
      if (edited && event.rendered_content !== undefined) {
        places.set(message_id, { ...edited, mentioned: mentions(flags) })
      }
      break
    }
    case 'update_message_flags':
      if (event.flag !== 'read') return part
      if (event.op === 'add') {
        for (const id of event.messages) places.delete(id)
        break
      }
      for (const [id, detail] of Object.entries(event.message_details ?? {})) {
        const { mentioned = false, stream_id, topic = '', user_ids = [] } = detail
        const place = stream_id === undefined ? { user_ids } : { stream_id, topic }
        places.set(Number(id), { ...place, mentioned })
      }
      break
    case 'stream':
      for (const [id, place] of places) {
        if ('stream_id' in place && event.stream_ids.includes(place.stream_id)) places.delete(id)
      }
      break
    case 'delete_message':
      for (const id of event.message_ids ?? [event.message_id]) places.delete(id ?? 0)
      break
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
  return groupUnread(places, me, part.old_unreads_missing)
}
