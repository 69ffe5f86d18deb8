// What the activity stream has told so far. Pure: the stream's events in, the page's state out.

import { latencySteps, type QueueInfo, type Rate, type TailEntry } from '../../../server/contract.ts'

export type { QueueInfo, Rate, TailEntry }

export interface ActivityState {
  queues: ReadonlyMap<string, QueueInfo>
  /** newest last */
  tail: readonly TailEntry[]
  /** oldest first */
  rates: readonly Rate[]
}

export type ActivityEvent =
  | { event: 'snapshot'; data: { queues: QueueInfo[]; tail: TailEntry[]; rates: Rate[] } }
  | { event: 'queues'; data: { changed: QueueInfo[]; removed: string[] } }
  | { event: 'tail'; data: { entries: TailEntry[] } }
  | { event: 'rate'; data: Rate }

export const KEPT_ENTRIES = 1000
export const KEPT_SECONDS = 120

export function applyActivity(
  state: ActivityState | undefined,
  { event, data }: ActivityEvent,
): ActivityState | undefined {
  if (event === 'snapshot') {
    return {
      queues: new Map(data.queues.map((queue) => [queue.queue_id, queue])),
      tail: data.tail.slice(-KEPT_ENTRIES),
      rates: data.rates.slice(-KEPT_SECONDS),
    }
  }
  // Without its beginning a change means nothing; the snapshot is on its way.
  if (!state) return state
  switch (event) {
    case 'queues': {
      const queues = new Map(state.queues)
      for (const queue of data.changed) queues.set(queue.queue_id, queue)
      for (const id of data.removed) queues.delete(id)
      return { ...state, queues }
    }
    case 'tail': {
      const newest = state.tail.at(-1)?.seq ?? Number.NEGATIVE_INFINITY
      const fresh = data.entries.filter(({ seq }) => seq > newest)
      return { ...state, tail: [...state.tail, ...fresh].slice(-KEPT_ENTRIES) }
    }
    case 'rate':
      return { ...state, rates: [...state.rates, data].slice(-KEPT_SECONDS) }
    default:
      event satisfies never
      return state
  }
}

/** The mean over the last few seconds: one second alone jumps too much to be read. */
export function recentRate(
  rates: readonly Rate[],
  of: 'messages' | 'events' | 'deliveries',
  seconds = 5,
): number {
  const recent = rates.slice(-seconds)
  return recent.length === 0 ? 0 : recent.reduce((sum, rate) => sum + rate[of], 0) / recent.length
}

export function peakRate(rates: readonly Rate[], of: 'messages' | 'events' | 'deliveries'): number {
  return rates.reduce((peak, rate) => Math.max(peak, rate[of]), 0)
}

/** Events by type over all that is kept, most first. */
export function countTypes(rates: readonly Rate[]): { type: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { types } of rates) {
    for (const [type, count] of Object.entries(types)) counts.set(type, (counts.get(type) ?? 0) + count)
  }
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count)
}

/** Events by the time from their commit into the last queue, over all that is kept; `upTo` is in milliseconds. */
export function countLatencies(rates: readonly Rate[]): { upTo: number; count: number }[] {
  return [...latencySteps, Number.POSITIVE_INFINITY].map((upTo, i) => ({
    upTo,
    count: rates.reduce((sum, { latency }) => sum + (latency[i] ?? 0), 0),
  }))
}

/** The step that so large a share of the events is within; null without any. */
export function latencyWithin(
  steps: readonly { upTo: number; count: number }[],
  share: number,
): number | null {
  const wanted = share * steps.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const { upTo, count } of steps) {
    seen += count
    if (seen > 0 && seen >= wanted) return upTo
  }
  return null
}

/**
 * The chart's columns: seconds before the newest rate, and the two lines. A clock that skips a second leaves no
 * hole in a line (undefined); a time in which nothing was told does (null).
 */
export function chartColumns(rates: readonly Rate[]): [number[], Points, Points] {
  const newest = Math.floor(rates.at(-1)?.at ?? 0)
  const by = new Map(rates.map((rate) => [Math.floor(rate.at) - newest, rate]))
  const seconds = Array.from({ length: KEPT_SECONDS }, (_, index) => index - KEPT_SECONDS + 1)
  const points = (of: 'messages' | 'deliveries') =>
    seconds.map(
      (second) => by.get(second)?.[of] ?? (by.has(second - 1) && by.has(second + 1) ? undefined : null),
    )
  return [seconds, points('messages'), points('deliveries')]
}

type Points = (number | null | undefined)[]

export interface TailFilter {
  types: string[]
  /** `realm:user_id` */
  user: string | null
}

export function selectEntries(tail: readonly TailEntry[], filter: TailFilter, limit: number): TailEntry[] {
  const found: TailEntry[] = []
  // From the newest back, and no further than what is shown.
  for (let index = tail.length - 1; index >= 0 && found.length < limit; index -= 1) {
    const entry = tail[index]
    if (!entry) continue
    if (filter.types.length > 0 && !filter.types.includes(entry.type)) continue
    if (filter.user !== null && !entry.user_ids.some((id) => personKey(entry.realm, id) === filter.user))
      continue
    found.push(entry)
  }
  return found
}

export function personKey(realm: string, userId: number): string {
  return `${realm}:${userId}`
}
