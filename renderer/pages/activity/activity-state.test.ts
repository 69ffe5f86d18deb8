import { expect, test } from 'vitest'
import {
  countLatencies,
  countTypes,
  latencyWithin,
  type ActivityState,
  applyActivity,
  chartColumns,
  KEPT_ENTRIES,
  KEPT_SECONDS,
  peakRate,
  type QueueInfo,
  type Rate,
  recentRate,
  selectEntries,
  type TailEntry,
} from './activity-state.ts'

const queue = (queue_id: string, pending = 0): QueueInfo => ({
  queue_id,
  realm: 'demo',
  user_id: 1,
  user_email: 'a@x.test',
  user_full_name: 'Ann',
  client: 'curl',
  address: '127.0.0.1',
  created_at: 0,
  pending,
  size: 0,
  last_event_id: 0,
  last_acknowledged_id: -1,
  last_poll_at: null,
  polling: false,
})
const entry = (seq: number, more: Partial<TailEntry> = {}): TailEntry => ({
  seq,
  at: 0,
  realm: 'demo',
  type: 'message',
  op: null,
  user_ids: [1],
  recipients: 1,
  queues: 1,
  event: {},
  ...more,
})
const rate = (at: number, messages = 1, deliveries = 2): Rate => ({
  at,
  messages,
  events: 1,
  deliveries,
  types: { message: messages },
  latency: [0, 1],
})
const start = (): ActivityState | undefined =>
  applyActivity(undefined, {
    event: 'snapshot',
    data: { queues: [queue('a'), queue('b')], tail: [entry(1), entry(2)], rates: [rate(10)] },
  })

test('changes before the snapshot mean nothing', () => {
  expect(applyActivity(undefined, { event: 'rate', data: rate(1) })).toBeUndefined()
})

test('queues change and go', () => {
  const state = applyActivity(start(), {
    event: 'queues',
    data: { changed: [queue('b', 7), queue('c')], removed: ['a'] },
  })
  expect([...(state?.queues.keys() ?? [])]).toEqual(['b', 'c'])
  expect(state?.queues.get('b')?.pending).toBe(7)
})

test('the tail takes each entry once and keeps only the newest', () => {
  let state = applyActivity(start(), { event: 'tail', data: { entries: [entry(2), entry(3)] } })
  expect(state?.tail.map(({ seq }) => seq)).toEqual([1, 2, 3])
  const many = Array.from({ length: KEPT_ENTRIES }, (_, index) => entry(index + 4))
  state = applyActivity(state, { event: 'tail', data: { entries: many } })
  expect(state?.tail).toHaveLength(KEPT_ENTRIES)
  expect(state?.tail[0]?.seq).toBe(4)
})

test('a new snapshot starts over, also where the server counts from one again', () => {
  const state = applyActivity(start(), {
    event: 'snapshot',
    data: { queues: [], tail: [entry(1)], rates: [] },
  })
  expect(state?.queues.size).toBe(0)
  expect(state?.tail.map(({ seq }) => seq)).toEqual([1])
})

test('rates: two minutes are kept; recent mean and peak', () => {
  let state = start()
  for (let at = 11; at < 200; at += 1)
    state = applyActivity(state, { event: 'rate', data: rate(at, at === 190 ? 9 : 1) })
  expect(state?.rates).toHaveLength(KEPT_SECONDS)
  expect(recentRate(state?.rates ?? [], 'messages')).toBe(1)
  expect(recentRate([], 'events')).toBe(0)
  expect(peakRate(state?.rates ?? [], 'messages')).toBe(9)
})

test('the chart counts back from the newest second; only a longer silence is a gap', () => {
  const [seconds, messages, deliveries] = chartColumns([
    rate(97.9, 1, 10),
    rate(100.2, 3, 30),
    rate(102.1, 5, 50),
  ])
  expect(seconds[0]).toBe(1 - KEPT_SECONDS)
  expect(seconds.slice(-3)).toEqual([-2, -1, 0])
  expect(messages.slice(-7)).toEqual([null, 1, null, null, 3, undefined, 5])
  expect(deliveries.slice(-3)).toEqual([30, undefined, 50])
})

test('the tail by type and by user, newest first, up to a limit', () => {
  const tail = [
    entry(1, { type: 'typing' }),
    entry(2, { user_ids: [1, 7] }),
    entry(3, { realm: 'other', user_ids: [7] }),
    entry(4),
  ]
  const seqs = (filter: object, limit = 10) =>
    selectEntries(tail, { types: [], user: null, ...filter }, limit).map(({ seq }) => seq)
  expect(seqs({})).toEqual([4, 3, 2, 1])
  expect(seqs({}, 2)).toEqual([4, 3])
  expect(seqs({ types: ['typing'] })).toEqual([1])
  expect(seqs({ user: 'demo:7' })).toEqual([2])
  expect(seqs({ types: ['message'], user: 'other:7' })).toEqual([3])
})

test('types and latencies add up over the kept seconds', () => {
  const rates: Rate[] = [
    { ...rate(1), types: { message: 2, reaction: 5 }, latency: [8, 0, 1] },
    { ...rate(2), types: { message: 1 }, latency: [0, 0, 0, 1] },
  ]
  expect(countTypes(rates)).toEqual([
    { type: 'reaction', count: 5 },
    { type: 'message', count: 3 },
  ])
  const steps = countLatencies(rates)
  expect(steps.slice(0, 4)).toEqual([
    { upTo: 1, count: 8 },
    { upTo: 2, count: 0 },
    { upTo: 5, count: 1 },
    { upTo: 10, count: 1 },
  ])
  expect(latencyWithin(steps, 0.5)).toBe(1)
  expect(latencyWithin(steps, 0.9)).toBe(5)
  expect(latencyWithin(steps, 0.99)).toBe(10)
  expect(latencyWithin(countLatencies([]), 0.5)).toBeNull()
})
