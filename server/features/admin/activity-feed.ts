/** What the event queues are doing, for those who watch: every queue, the newest events, and the rates. */
import { RealmContext, type Server } from '../../context.ts'
import { StorageUnavailableError } from '../../db/database.ts'
import type { Dispatch, HubObserver, Queue } from '../../events/queues.ts'
import type { ParleyEvent } from '../../events/union.ts'
import { latencySteps } from './latency-steps.ts'
import { realmById } from '../realms/store.ts'
import { userById } from '../users/store.ts'

export interface QueueInfo {
  queue_id: string
  realm: string
  user_id: number
  user_email: string
  user_full_name: string
  client: string
  address: string
  /** UNIX seconds, with fractions, here and below. */
  created_at: number
  /** Events that wait for the client, and their length in characters. */
  pending: number
  size: number
  last_event_id: number
  last_acknowledged_id: number
  last_poll_at: number | null
  /** Whether a poll is waiting right now. */
  polling: boolean
}

export interface TailEntry {
  seq: number
  /** Milliseconds. */
  at: number
  realm: string
  type: string
  op: string | null
  /** The first fifty users it is for. */
  user_ids: number[]
  recipients: number
  /** Queues it went into. */
  queues: number
  event: unknown
}

export interface Rate {
  /** UNIX seconds. */
  at: number
  messages: number
  events: number
  deliveries: number
  /** Events of each type. */
  types: Record<string, number>
  /** Events by the milliseconds from their commit into the last queue: as many as in `latencySteps`, and the rest. */
  latency: number[]
}

type Counts = Omit<Rate, 'at'>

const noCounts = (): Counts => ({
  messages: 0,
  events: 0,
  deliveries: 0,
  types: {},
  latency: Array.from({ length: latencySteps.length + 1 }, () => 0),
})

function addCounts(to: Counts, { messages, events, deliveries, types, latency }: Counts): void {
  to.messages += messages
  to.events += events
  to.deliveries += deliveries
  for (const [type, count] of Object.entries(types)) to.types[type] = (to.types[type] ?? 0) + count
  latency.forEach((count, i) => {
    to.latency[i] = (to.latency[i] ?? 0) + count
  })
}

/** One who watches; of one realm, or of all (null). */
export interface Watcher {
  realm: string | null
  send: (event: 'snapshot' | 'queues' | 'tail' | 'rate', data: unknown) => void
  /** Ends the stream, when the server stops. */
  end: () => void
}

const TAIL_LENGTH = 200
const RATE_SECONDS = 120
/** Changes are collected for this long before they are shown. */
const FLUSH_MS = 250

export class ActivityFeed implements HubObserver {
  private readonly tail: TailEntry[] = []
  /** By realm, for each of the last seconds. */
  private readonly seconds: { at: number; counts: ReadonlyMap<string, Counts> }[] = []
  private readonly watchers = new Set<Watcher>()
  private readonly changedQueues = new Map<string, Queue>()
  private removedQueues: { id: string; realm: string }[] = []
  private newEntries: TailEntry[] = []
  private counts = new Map<string, Counts>()
  private seq = 0
  private readonly timers: NodeJS.Timeout[]
  private realmNames = new Map<number, string>()

  constructor(private readonly server: () => Server) {
    this.timers = [
      setInterval(() => this.flush(), FLUSH_MS).unref(),
      setInterval(() => this.closeSecond(), 1000).unref(),
    ]
  }

  dispatched({ at, realmId, event, userIds, queues, took }: Dispatch): void {
    const realm = this.realmName(realmId)
    const count = this.counts.get(realm) ?? noCounts()
    this.counts.set(realm, count)
    count.events += 1
    count.deliveries += queues
    if (event.type === 'message') count.messages += 1
    count.types[event.type] = (count.types[event.type] ?? 0) + 1
    const step = latencySteps.findIndex((end) => took <= end)
    const index = step < 0 ? latencySteps.length : step
    count.latency[index] = (count.latency[index] ?? 0) + 1
    const entry: TailEntry = {
      seq: (this.seq += 1),
      at,
      realm,
      type: event.type,
      op: 'op' in event ? event.op : null,
      user_ids: userIds.slice(0, 50),
      recipients: userIds.length,
      queues,
      // Worked out when somebody looks, which most of the time nobody does.
      get event() {
        return withoutWords(event)
      },
    }
    this.tail.push(entry)
    if (this.tail.length > TAIL_LENGTH) this.tail.shift()
    if (this.watchers.size > 0) this.newEntries.push(entry)
    if (this.newEntries.length > TAIL_LENGTH) this.newEntries.shift()
  }

  changed(queue: Queue): void {
    if (this.watchers.size > 0) this.changedQueues.set(queue.id, queue)
  }

  removed(queue: Queue): void {
    this.changedQueues.delete(queue.id)
    if (this.watchers.size > 0)
      this.removedQueues.push({ id: queue.id, realm: this.realmName(queue.realmId) })
  }

  /** Shows what there is, then every change. @returns how to stop */
  watch(watcher: Watcher): () => void {
    watcher.send('snapshot', {
      queues: [...this.server().hub.all()].map((queue) => this.describe(queue)).filter(isOf(watcher)),
      tail: this.tail.filter(isOf(watcher)),
      rates: this.seconds.map((second) => rateFor(watcher, second)),
    })
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  private flush(): void {
    const changed = [...this.changedQueues.values()].map((queue) => this.describe(queue))
    const removed = this.removedQueues
    const entries = this.newEntries
    this.changedQueues.clear()
    this.removedQueues = []
    this.newEntries = []
    for (const watcher of this.watchers) {
      const ownChanged = changed.filter(isOf(watcher))
      const ownRemoved = removed.filter(isOf(watcher)).map(({ id }) => id)
      const ownEntries = entries.filter(isOf(watcher))
      if (ownChanged.length + ownRemoved.length > 0) {
        watcher.send('queues', { changed: ownChanged, removed: ownRemoved })
      }
      if (ownEntries.length > 0) watcher.send('tail', { entries: ownEntries })
    }
  }

  private closeSecond(): void {
    const second = { at: Math.floor(this.server().now() / 1000), counts: this.counts }
    this.counts = new Map()
    this.seconds.push(second)
    if (this.seconds.length > RATE_SECONDS) this.seconds.shift()
    for (const watcher of this.watchers) watcher.send('rate', rateFor(watcher, second))
  }

  private describe(queue: Queue): QueueInfo {
    const realm = this.read(() => realmById(this.server().database, queue.realmId))
    const user = realm && this.read(() => userById(new RealmContext(this.server(), realm).db, queue.userId))
    return {
      queue_id: queue.id,
      realm: realm?.stringId ?? '',
      user_id: queue.userId,
      user_email: user?.delivery_email ?? '',
      user_full_name: user?.full_name ?? '',
      client: queue.client,
      address: queue.address,
      created_at: queue.createdAt / 1000,
      pending: queue.entries.length,
      size: queue.size,
      last_event_id: queue.lastEventId,
      last_acknowledged_id: queue.lastAcknowledgedId,
      last_poll_at: queue.lastPollAt === null ? null : queue.lastPollAt / 1000,
      polling: queue.poll !== null,
    }
  }

  private realmName(id: number): string {
    const known = this.realmNames.get(id)
    if (known !== undefined) return known
    const name = this.read(() => realmById(this.server().database, id))?.stringId
    if (name !== undefined) this.realmNames.set(id, name)
    return name ?? ''
  }

  /** A disk that cannot be read must not end what is shown, nor what goes out to clients. */
  private read<T>(query: () => T): T | undefined {
    try {
      return query()
    } catch (error) {
      if (error instanceof StorageUnavailableError) return undefined
      throw error
    }
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer)
    for (const watcher of this.watchers) watcher.end()
  }
}

const isOf =
  ({ realm }: Watcher) =>
  (one: { realm: string }): boolean =>
    realm === null || one.realm === realm

/** The rates of the one realm that is watched, or of all together. */
function rateFor(
  { realm }: Watcher,
  { at, counts }: { at: number; counts: ReadonlyMap<string, Counts> },
): Rate {
  const sum = noCounts()
  for (const [name, one] of counts) if (realm === null || name === realm) addCounts(sum, one)
  return { at, ...sum }
}

/** Fields in which people's own words travel, wherever in an event they stand. */
const words: ReadonlySet<string> = new Set([
  'alert_words',
  'content',
  'muted_topics',
  'orig_content',
  'orig_rendered_content',
  'orig_subject',
  'path_id',
  'rendered_content',
  'status_text',
  'subject',
  'title',
  'topic',
  'topic_links',
  'topic_name',
])

/** Whoever runs the server sees that something went where, never what people wrote. */
function withoutWords(event: ParleyEvent): unknown {
  const rest: unknown = JSON.parse(
    JSON.stringify(event, (key, value: unknown) => {
      if (key === 'attachment') return { ...(value as object), name: undefined }
      return words.has(key) ? undefined : value
    }),
  )
  if (event.type !== 'message') return rest
  const { content, subject } = event.message
  const { message } = rest as { message: object }
  return { ...event, message: { ...message, content_length: content.length, has_topic: subject !== '' } }
}
