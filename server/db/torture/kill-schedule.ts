// What one writer under kill -9 schedules, and what must have become of it afterwards.
import type { Database } from '../database.ts'
import { type Caller, unlessRefused } from './kill-caller.ts'
import type { Random } from './random.ts'

/** What is due soon is due within this time, in milliseconds, and sent within it. */
export const SCHEDULED_WITHIN_MS = 4000

interface Waiting {
  id: number
  /** UNIX seconds, the acknowledged one first. */
  dueAt: number[]
  /** Whether the server has said that it waits no more, without anybody having deleted it. */
  isSent: boolean
}

/** Of the content of every scheduled message, so that those of one writer are found. */
const mark = (writer: number): string => `scheduled by ${writer} `

export class Schedule {
  cutOffButThere = 0
  readonly #writer: number
  readonly #random: Random
  /** By content, which no other message has. */
  readonly #waiting = new Map<string, Waiting>()
  /** By content, the id of the message that was sent. */
  readonly #sent = new Map<string, number>()
  readonly #deleted = new Set<string>()
  #cutOff: string | null = null
  #deletionCutOff: string | null = null

  constructor(writer: number, random: Random) {
    this.#writer = writer
    this.#random = random
  }

  /** How many were sent. */
  get delivered(): number {
    return this.#sent.size
  }

  /** Schedules, or puts off, brings forward or deletes what is scheduled. */
  async change(caller: Caller, number: number, target: Record<string, string>): Promise<void> {
    const known = this.#random.pick([...this.#waiting].slice(-10))
    const kind = known ? this.#random.below(4) : 0
    if (kind < 2 || !known) await this.#schedule(caller, `${mark(this.#writer)}number ${number}.`, target)
    else if (kind === 2) await this.#move(caller, known[1])
    else await this.#delete(caller, ...known)
  }

  async #schedule(caller: Caller, content: string, target: Record<string, string>): Promise<void> {
    const dueAt = this.#time()
    this.#cutOff = content
    const form = { ...target, content, scheduled_delivery_timestamp: String(dueAt) }
    const reply = await unlessRefused(caller.call('POST', '/scheduled_messages', form))
    this.#cutOff = null
    if (!reply) return // its time had passed before it arrived
    this.#waiting.set(content, { id: reply['scheduled_message_id'] as number, dueAt: [dueAt], isSent: false })
  }

  async #move(caller: Caller, waiting: Waiting): Promise<void> {
    const dueAt = this.#time()
    waiting.dueAt.push(dueAt)
    const form = { scheduled_delivery_timestamp: String(dueAt) }
    if (await unlessRefused(caller.call('PATCH', `/scheduled_messages/${waiting.id}`, form)))
      waiting.dueAt = [dueAt]
    else waiting.dueAt.pop()
  }

  async #delete(caller: Caller, content: string, waiting: Waiting): Promise<void> {
    this.#deletionCutOff = content
    const reply = await unlessRefused(caller.call('DELETE', `/scheduled_messages/${waiting.id}`))
    this.#deletionCutOff = null
    if (!reply) {
      waiting.isSent = true
      return
    }
    this.#waiting.delete(content)
    this.#deleted.add(content)
  }

  /** Mostly soon, so that servers die while they send; some so late that it never comes. */
  #time(): number {
    const seconds = Math.ceil(Date.now() / 1000 + 0.3)
    return this.#random.chance(0.25) ? seconds + 86_400 : seconds + this.#random.below(2)
  }

  /** Everything acknowledged waits, or was sent once and waits no more. */
  examine(db: Database): void {
    const like = [`${mark(this.#writer)}%`]
    const inbox = new Map<string, number>()
    const sql = 'SELECT id, content FROM messages WHERE content LIKE ?'
    for (const { id, content } of db.all<{ id: number; content: string }>(sql, like)) {
      if (inbox.has(content)) throw new Error(`"${content}" was sent twice`)
      inbox.set(content, id)
    }
    const rows = new Map(
      db
        .all<Row>(
          'SELECT id, content, delivery_at, failed FROM scheduled_messages WHERE content LIKE ?',
          like,
        )
        .map((row) => [row.content, row]),
    )
    this.#settle(rows, inbox)
    for (const [content, { id, dueAt, isSent }] of this.#waiting) {
      const row = rows.get(content)
      const sentAs = inbox.get(content)
      if (row ? sentAs !== undefined : sentAs === undefined) {
        throw new Error(`"${content}" ${row ? 'was sent and still waits' : 'neither waits nor was sent'}`)
      }
      if (row && (row.failed || isSent || row.id !== id || !dueAt.includes(row.delivery_at))) {
        throw new Error(`"${content}" waits as ${JSON.stringify(row)}, not until ${dueAt.join(' or ')}`)
      }
      if (row) this.#waiting.set(content, { id, dueAt: [row.delivery_at], isSent })
      if (sentAs === undefined) continue
      this.#waiting.delete(content)
      this.#sent.set(content, sentAs)
    }
    for (const [content, id] of this.#sent) {
      if (rows.has(content) || inbox.get(content) !== id) throw new Error(`"${content}" was not sent once`)
    }
    for (const content of this.#deleted) {
      if (rows.has(content) || inbox.has(content)) throw new Error(`"${content}" was deleted and is there`)
    }
  }

  /** What became of the writes that were cut off. */
  #settle(rows: Map<string, Row>, inbox: Map<string, number>): void {
    const [made, deleted] = [this.#cutOff, this.#deletionCutOff]
    this.#cutOff = null
    this.#deletionCutOff = null
    const row = made === null ? undefined : rows.get(made)
    if (made !== null && (row || inbox.has(made))) {
      this.cutOffButThere++
      const dueAt = row ? [row.delivery_at] : []
      this.#waiting.set(made, { id: row?.id ?? 0, dueAt, isSent: false })
    }
    if (deleted !== null && !rows.has(deleted) && !inbox.has(deleted)) {
      this.cutOffButThere++
      this.#waiting.delete(deleted)
      this.#deleted.add(deleted)
    }
  }
}

interface Row {
  id: number
  content: string
  delivery_at: number
  failed: number
}

/** @param now in UNIX seconds, some moments after which what was due has been sent */
export function assertNothingOverdue(db: Database, now: number): void {
  const overdue = db.all('SELECT content, delivery_at FROM scheduled_messages WHERE delivery_at <= ?', [now])
  if (overdue.length > 0) throw new Error(`Not sent in time: ${JSON.stringify(overdue.slice(0, 5))}`)
}
