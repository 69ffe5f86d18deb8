/** Event queues: what clients register and long-poll. */
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import type { NotedEvent } from '../db/transaction.ts'
import { BadRequestError } from '../http/errors.ts'
import { BadEventQueueIdError } from './errors.ts'
import { type ClientOptions, createVariants, formOf } from './adapt.ts'
import { AnyEvent, type ParleyEvent } from './union.ts'

/** A queue as it was asked for at registration. */
export interface QueueRequest extends ClientOptions {
  realmId: number
  userId: number
  /** Name of the client, from its `User-Agent`. */
  client: string
  /** Network address it registered from. */
  address: string
  /** Types it wants; null: all. */
  eventTypes: ReadonlySet<string> | null
  allPublicStreams: boolean
  /** Only messages that it fits are wanted: pairs of operator and operand. */
  narrow: readonly (readonly [string, string])[]
}

export type Owner = Pick<QueueRequest, 'realmId' | 'userId'>

/** @param flags of a message, as the queue's user has them */
export type EventFilter = (event: ParleyEvent, flags?: readonly string[]) => boolean

interface Entry {
  id: number
  /** The event as JSON without its id and closing brace: a text that the queues of the same event share. */
  open: string
}

export interface Queue extends QueueRequest {
  id: string
  /** Queues of the same form are sent the same. */
  form: string
  /** Milliseconds since the epoch, here and below. */
  createdAt: number
  lastPollAt: number | null
  /** Undelivered and unacknowledged events, oldest first. */
  entries: Entry[]
  /** Length of what the entries hold, in characters. */
  size: number
  /** Id that the newest event got; -1 before the first. */
  lastEventId: number
  lastAcknowledgedId: number
  /** What had been noted by then is part of the snapshot that came with the queue, and is not sent again. */
  openedAt: number
  /** Whether a message event fits the narrow. */
  wants: EventFilter
  /** The one that waits for an event. */
  poll: Poll | null
}

interface Poll {
  answer: PollAnswer
  /** When it ends with a heartbeat, by the clock of `performance.now()`. */
  until: number
}

/** Is told the events as JSON texts, or that the queue has ended. */
export type PollAnswer = (outcome: string[] | BadEventQueueIdError) => void

/** What of a queue outlives a clean stop of the server. */
export type KeptQueue = Omit<Queue, 'form' | 'eventTypes' | 'openedAt' | 'wants' | 'poll'> & {
  eventTypes: string[] | null
}

/** One event as it was sent out, for those who watch the server at work. */
export interface Dispatch {
  /** Milliseconds. */
  at: number
  realmId: number
  event: ParleyEvent
  userIds: readonly number[]
  /** Queues it went into. */
  queues: number
  /** Milliseconds from its commit until it was in all of them, the time the disk took included. */
  took: number
}

export interface HubObserver {
  dispatched(dispatch: Dispatch): void
  changed(queue: Queue): void
  removed(queue: Queue): void
}

export interface HubOptions {
  /** Read anew each time: they may change while the server runs. */
  limits: Readonly<
    Pick<
      Config,
      | 'queueIdleSeconds'
      | 'heartbeatSeconds'
      | 'maxQueuesPerUser'
      | 'maxQueueLength'
      | 'maxQueues'
      | 'maxUndeliveredMib'
    >
  >
  /** Turns the narrow of a queue into the question whether an event fits it. */
  filterFor: (narrow: QueueRequest['narrow']) => EventFilter
  /** Parse every event before it is sent; TypeScript misses extra fields in variables. */
  checkEvents: boolean
  now: () => number
  /** Number of the newest commit that is on disk. */
  durableSequence: () => number
}

export interface PollOptions {
  /** Acknowledges the events up to this one. */
  lastEventId: number | undefined
  /** Wait where there is no event yet. */
  block: boolean
  /** Hands over what is to be called when the client goes away. */
  onGone: (listener: () => void) => void
}

/** Holds all queues, and puts events into them once the commit they belong to is on disk. */
export class EventHub {
  private readonly queues = new Map<string, Queue>()
  private readonly byUser = new Map<number, Set<Queue>>()
  private waiting: { sequence: number; order: number; at: number; noted: NotedEvent[] }[] = []
  /** How many times events have been noted. Not every one comes with a commit: typing is kept nowhere. */
  private notes = 0
  private readonly observers: HubObserver[] = []
  private readonly sweeper: NodeJS.Timeout
  private readonly heart: NodeJS.Timeout
  /** Queues that are waited on and have got events. */
  private roused: Queue[] = []
  /** Of all queues: the sum of their sizes. */
  private undelivered = 0
  private closed = false

  constructor(private readonly options: HubOptions) {
    const period = Math.min(options.limits.queueIdleSeconds * 250, 30_000)
    this.sweeper = setInterval(() => this.collectIdle(), period).unref()
    this.heart = setInterval(() => this.beat(), 1000).unref()
  }

  observe(observer: HubObserver): void {
    this.observers.push(observer)
  }

  all(): Iterable<Queue> {
    return this.queues.values()
  }

  /** Opens a queue. Call it in the same synchronous step that takes the snapshot. */
  register(request: QueueRequest): Queue {
    const wants = this.options.filterFor(request.narrow)
    const own = this.byUser.get(request.userId) ?? new Set()
    while (own.size >= this.options.limits.maxQueuesPerUser) this.remove(leastRecentlyPolled(own))
    if (this.queues.size >= this.options.limits.maxQueues)
      this.remove(leastRecentlyPolled(this.queues.values()))
    const now = this.options.now()
    const state = {
      createdAt: now,
      lastPollAt: null,
      entries: [],
      size: 0,
      lastEventId: -1,
      lastAcknowledgedId: -1,
    }
    return this.open({ ...request, ...state, wants, id: randomUUID() })
  }

  private open(kept: Omit<Queue, 'form' | 'openedAt' | 'poll'>): Queue {
    // Written out, since an object of spread ones takes twice the memory, and a message goes through thousands of them.
    const queue: Queue = {
      poll: null,
      openedAt: this.notes,
      eventTypes: kept.eventTypes,
      wants: kept.wants,
      form: formOf(kept),
      entries: kept.entries,
      size: kept.size,
      lastEventId: kept.lastEventId,
      lastPollAt: kept.lastPollAt,
      lastAcknowledgedId: kept.lastAcknowledgedId,
      id: kept.id,
      realmId: kept.realmId,
      userId: kept.userId,
      allPublicStreams: kept.allPublicStreams,
      client: kept.client,
      address: kept.address,
      narrow: kept.narrow,
      applyMarkdown: kept.applyMarkdown,
      extAvatar: kept.extAvatar,
      capabilities: kept.capabilities,
      emptyTopicDisplayName: kept.emptyTopicDisplayName,
      createdAt: kept.createdAt,
    }
    const own = this.byUser.get(queue.userId) ?? new Set()
    this.byUser.set(queue.userId, own)
    own.add(queue)
    this.queues.set(queue.id, queue)
    this.undelivered += queue.size
    this.changed(queue)
    return queue
  }

  /** Queues as they are to be found again after a clean stop, the most recently polled first. */
  keep(): KeptQueue[] {
    return [...this.queues.values()]
      .sort((a, b) => lastSeen(b) - lastSeen(a))
      .map(({ form: _form, openedAt: _openedAt, wants: _wants, poll: _poll, eventTypes, ...kept }) => ({
        ...kept,
        eventTypes: eventTypes && [...eventTypes],
      }))
  }

  /** Opens a queue again where it stopped: same id, same events waiting, and the ids go on. */
  reopen(kept: KeptQueue): Queue {
    // A client gets the whole time to find the server again, however long that was away.
    const lastPollAt = this.options.now()
    const wants = this.options.filterFor(kept.narrow)
    const eventTypes = kept.eventTypes && new Set(kept.eventTypes)
    return this.open({ ...kept, wants, eventTypes, lastPollAt })
  }

  /** Puts an event into a queue that is about the queue or the server, not about a realm's data. */
  tell(queue: Queue, event: ParleyEvent): void {
    if (!wanted(queue, event)) return
    this.push(queue, JSON.stringify(event).slice(0, -1))
    this.answerRoused()
  }

  /** @throws BadEventQueueIdError when there is none of that id, or it is somebody else's */
  find(id: string, owner: Owner): Queue {
    const queue = this.queues.get(id)
    if (!queue || queue.userId !== owner.userId || queue.realmId !== owner.realmId)
      throw new BadEventQueueIdError(id)
    return queue
  }

  remove(queue: Queue): void {
    if (!this.queues.delete(queue.id)) return
    const own = this.byUser.get(queue.userId)
    own?.delete(queue)
    if (own?.size === 0) this.byUser.delete(queue.userId)
    this.undelivered -= queue.size
    this.endPoll(queue)?.answer(new BadEventQueueIdError(queue.id))
    for (const observer of this.observers) observer.removed(queue)
  }

  removeById(id: string): boolean {
    const queue = this.queues.get(id)
    if (queue) this.remove(queue)
    return queue !== undefined
  }

  /** Ends every queue of a realm, as when it is deactivated. */
  removeAllOfRealm(realmId: number): void {
    for (const queue of [...this.queues.values()]) if (queue.realmId === realmId) this.remove(queue)
  }

  /** Ends every queue of a user, as when the account is deactivated. */
  removeAllOf(userId: number): void {
    for (const queue of [...(this.byUser.get(userId) ?? [])]) this.remove(queue)
  }

  /**
   * Frees what was acknowledged, then answers the events after `lastEventId`. Without any it waits for one, until the
   * heartbeat is due or the client gives up.
   * @param answer is called once, at once or later; never when the client gives up
   * @throws BadEventQueueIdError as {@link find} does
   */
  poll(id: string, owner: Owner, { lastEventId, block, onGone }: PollOptions, answer: PollAnswer): void {
    const queue = this.find(id, owner)
    if (lastEventId !== undefined) this.acknowledge(queue, lastEventId)
    // Two polls of one queue cannot share its events: the newer one stands, the older ends with what there is.
    this.answerPoll(queue)
    const poll = { answer, until: performance.now() + this.options.limits.heartbeatSeconds * 1000 }
    queue.poll = poll
    if (queue.entries.length > 0 || !block || this.closed) return this.answerPoll(queue)
    queue.lastPollAt = this.options.now()
    onGone(() => {
      if (queue.poll === poll) this.endPoll(queue)
    })
    this.changed(queue)
  }

  private answerPoll(queue: Queue): void {
    const poll = this.endPoll(queue)
    if (!poll) return
    queue.lastPollAt = this.options.now()
    this.changed(queue)
    poll.answer(queue.entries.map(({ id, open }) => `${open},"id":${id}}`))
  }

  private endPoll(queue: Queue): Poll | null {
    const { poll } = queue
    queue.poll = null
    return poll
  }

  /** Answers those that wait for what was put into their queues; all of it comes in one reply. */
  private answerRoused(): void {
    for (const queue of this.roused.splice(0)) this.answerPoll(queue)
  }

  /** One look at all polls each second, since a timer for each would cost as much as its event. */
  private beat(): void {
    const now = performance.now()
    for (const queue of this.queues.values()) {
      if (!queue.poll || queue.poll.until > now) continue
      this.push(queue, '{"type":"heartbeat"')
      this.answerPoll(queue)
    }
    this.roused = []
  }

  private acknowledge(queue: Queue, id: number): void {
    if (id < queue.lastAcknowledgedId)
      throw new BadRequestError(`An event newer than ${id} has already been acknowledged`)
    if (id > queue.lastEventId) throw new BadRequestError(`There has been no event ${id} in this queue yet`)
    queue.lastAcknowledgedId = id
    const firstUnacknowledged = queue.entries.findIndex((entry) => entry.id > id)
    const freed = queue.entries.splice(
      0,
      firstUnacknowledged === -1 ? queue.entries.length : firstUnacknowledged,
    )
    const size = freed.reduce((sum, { open }) => sum + open.length, 0)
    queue.size -= size
    this.undelivered -= size
  }

  /** Takes the events of a commit. They go out when it is on disk, in the order of the commits. */
  note(sequence: number, noted: NotedEvent[]): void {
    if (noted.length === 0) return
    this.notes += 1
    this.waiting.push({ sequence, order: this.notes, at: performance.now(), noted })
    this.release(this.options.durableSequence())
  }

  /** Sends the events of all commits up to `sequence`, which are on disk now. */
  release(sequence: number): void {
    let count = 0
    while (count < this.waiting.length && (this.waiting[count]?.sequence ?? Infinity) <= sequence) count += 1
    for (const commit of this.waiting.splice(0, count)) {
      for (const noted of commit.noted) this.dispatch(noted, commit.order, commit.at)
    }
    this.answerRoused()
  }

  /** Forgets the events of all commits after `sequence`, which were taken back. */
  forget(sequence: number): void {
    this.waiting = this.waiting.filter((commit) => commit.sequence <= sequence)
  }

  private dispatch({ realmId, event, audience }: NotedEvent, order: number, notedAt: number): void {
    if (this.options.checkEvents) AnyEvent.parse(event)
    const { echo, publicTo } = audience
    const variantsFor = createVariants(event, audience)
    let queues = 0
    const deliver = (userId: number, to: Iterable<Queue>) => {
      const personal = audience.personal?.(userId)
      const flags = personal?.['flags'] as string[] | undefined
      const added = membersOf(personal ?? ('flags' in event ? { flags: event.flags } : {}))
      for (const queue of to) {
        if (queue.openedAt >= order || !wanted(queue, event, flags)) continue
        for (const open of variantsFor(queue)) {
          const echoed = echo?.queueId === queue.id ? membersOf({ local_message_id: echo.localId }) : ''
          if (this.push(queue, open + added + echoed)) queues += 1
        }
      }
    }
    for (const userId of audience.to) {
      const own = this.byUser.get(userId)
      if (own) deliver(userId, own)
    }
    if (publicTo) {
      const reached = new Set(audience.to)
      for (const queue of this.queues.values()) {
        if (!queue.allPublicStreams || queue.realmId !== realmId || reached.has(queue.userId)) continue
        if (publicTo(queue.userId)) deliver(queue.userId, [queue])
      }
    }
    const at = this.options.now()
    const took = performance.now() - notedAt
    const dispatched: Dispatch = { at, realmId, event, userIds: audience.to, queues, took }
    for (const observer of this.observers) observer.dispatched(dispatched)
  }

  /** @param open the event's JSON without its closing brace and id. Answers false when the queue had to be dropped. */
  private push(queue: Queue, open: string): boolean {
    if (queue.entries.length >= this.options.limits.maxQueueLength) {
      this.remove(queue)
      return false
    }
    if (this.undelivered + open.length > this.options.limits.maxUndeliveredMib * 2 ** 20) {
      // Whoever has not come for its events for longest starts over.
      const full = [...this.queues.values()].filter(({ size }) => size > 0)
      if (full.length > 0) this.remove(leastRecentlyPolled(full))
      if (!this.queues.has(queue.id)) return false
    }
    queue.lastEventId += 1
    queue.entries.push({ id: queue.lastEventId, open })
    queue.size += open.length
    this.undelivered += open.length
    // Who waits had nothing before the first of them, and is answered after the last.
    if (!queue.poll) this.changed(queue)
    else if (queue.entries.length === 1) this.roused.push(queue)
    return true
  }

  private collectIdle(): void {
    const oldest = this.options.now() - this.options.limits.queueIdleSeconds * 1000
    for (const queue of [...this.queues.values()]) {
      if (queue.poll === null && lastSeen(queue) < oldest) this.remove(queue)
    }
  }

  private changed(queue: Queue): void {
    for (const observer of this.observers) observer.changed(queue)
  }

  /** Answers every waiting poll with what there is, so that the server can stop. */
  close(): void {
    this.closed = true
    clearInterval(this.sweeper)
    clearInterval(this.heart)
    for (const queue of this.queues.values()) this.answerPoll(queue)
  }
}

const wanted = (queue: Queue, event: ParleyEvent, flags?: readonly string[]): boolean =>
  (queue.eventTypes === null || queue.eventTypes.has(event.type)) &&
  // Who asks for `user_topic` learns the same from it.
  !(event.type === 'muted_topics' && queue.eventTypes?.has('user_topic')) &&
  queue.wants(event, flags)

/** What follows the shared part of an event: the members that its reader has of their own. */
function membersOf(members: object): string {
  const text = JSON.stringify(members).slice(1, -1)
  return text && `,${text}`
}

const lastSeen = (queue: Queue): number => queue.lastPollAt ?? queue.createdAt

/** One that no poll waits on, where there is such a one. */
function leastRecentlyPolled(queues: Iterable<Queue>): Queue {
  const rank = (queue: Queue) => lastSeen(queue) + (queue.poll ? Number.MAX_SAFE_INTEGER / 2 : 0)
  return [...queues].reduce((a, b) => (rank(b) < rank(a) ? b : a))
}
