// Kills the built server at random moments under sixteen writers, and looks whether what it had answered is there.
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { nodeBundleConfig } from '../../../vite.node.config.ts'
import { wasmFile } from '../bridge.ts'
import { type Database, openDatabase } from '../database.ts'
import { Caller, type Credentials, CutOffError, type Reply, unlessRefused } from './kill-caller.ts'
import { assertNothingOverdue, SCHEDULED_WITHIN_MS, Schedule } from './kill-schedule.ts'
import { assertLinksHold, Uploads } from './kill-uploads.ts'
import { Random } from './random.ts'

const writerCount = 16
const apiPath = '/r/acme/api/v1'

export interface KillOutcome {
  rounds: number
  /** Writes that were answered with success. */
  acknowledged: number
  /** Writes that were under way when the server died, and those of them that are there. */
  cutOff: number
  cutOffButThere: number
  uploads: number
  /** Scheduled messages that were sent. */
  delivered: number
  /** The longest that a start after a kill took, in milliseconds. */
  slowestStart: number
}

/**
 * @param length how long the writers write before each kill, in milliseconds, at least and at most
 * @param enough so many writes are acknowledged before each kill, however long that takes on a busy machine
 */
export async function killUnderLoad(
  rounds: number,
  seed: number,
  length: readonly [number, number] = [50, 1000],
  onRound: (round: number) => void = () => {},
  enough = 0,
): Promise<KillOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-kill-'))
  const office = new Office(join(folder, 'program', 'server', 'main.js'), join(folder, 'data'))
  try {
    await buildServer(join(folder, 'program'))
    const random = new Random(seed)
    await office.furnish()
    for (let round = 1; round <= rounds; round++) {
      await office.start()
      await office.download()
      const before = office.counts().acknowledged
      const writing = office.writers.map((writer) => writer.write())
      await sleep(length[0] + random.below(length[1] - length[0]))
      for (let tries = 0; tries < 1000 && office.counts().acknowledged < before + enough; tries++)
        await sleep(20)
      // What is scheduled goes out as a second begins.
      if (random.chance(0.3)) await sleep(1000 - (Date.now() % 1000) + random.below(40))
      await office.kill()
      await Promise.all(writing)
      await office.examine(join(folder, 'copy'))
      onRound(round)
    }
    await office.start()
    await office.download()
    await sleep(SCHEDULED_WITHIN_MS)
    const { healthy, problems } = await office.admin('GET', '/check')
    if (!healthy) throw new Error(`parley check: ${(problems as string[]).join('; ')}`)
    await office.stop()
    await office.examine(join(folder, 'copy'), true)
    return { rounds, ...office.counts() }
  } finally {
    await office.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function buildServer(folder: string): Promise<void> {
  await build({ ...nodeBundleConfig('server', folder), logLevel: 'silent' })
  await copyFile(wasmFile(), join(folder, 'server', 'sql-wasm.wasm'))
}

class Office {
  writers: Writer[] = []
  #url = ''
  #adminToken = ''
  #server: ChildProcess | null = null
  #slowestStart = 0
  readonly #main: string
  readonly #dataDir: string

  constructor(main: string, dataDir: string) {
    this.#main = main
    this.#dataDir = dataDir
  }

  async furnish(): Promise<void> {
    await this.start()
    const realm = { name: 'acme', owner_email: 'olga@acme.example', owner_name: 'Olga' }
    const { owner } = (await this.admin('POST', '/realms', realm)) as { owner: Credentials }
    const olga = new Caller(owner)
    olga.api = `${this.#url}${apiPath}`
    await olga.call('POST', '/users/me/subscriptions', {
      subscriptions: '[{"name":"general"}]',
      is_default_stream: 'true',
    })
    for (let i = 0; i < writerCount; i++) {
      const user = { email: `w${i}@acme.example`, full_name: `Writer ${i} 0`, role: 200 }
      const made = (await this.admin('POST', '/realms/acme/users', user)) as unknown as Credentials
      this.writers.push(new Writer(i, made))
      for (const writer of this.writers) writer.colleague = made.user_id
    }
    await this.stop()
  }

  async start(): Promise<void> {
    const began = performance.now()
    const words = ['serve', '--data-dir', this.#dataDir, '--port', '0', '--log', 'error']
    const server = spawn(process.execPath, [this.#main, ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    this.#server = server
    const ready = await new Promise<{ url: string; adminUrl: string }>((resolve, reject) => {
      server.once('close', (code) => reject(new Error(`The server exited with ${code}`)))
      createInterface({ input: server.stdout }).on('line', (line) => {
        if (line.startsWith('parley ready ')) resolve(JSON.parse(line.slice('parley ready '.length)))
      })
    })
    this.#slowestStart = Math.max(this.#slowestStart, performance.now() - began)
    this.#url = ready.url
    for (const { caller } of this.writers) caller.api = `${ready.url}${apiPath}`
    this.#adminToken = ready.adminUrl.split('#token=')[1] ?? ''
  }

  kill = (): Promise<void> => this.#end('SIGKILL')
  stop = (): Promise<void> => this.#end('SIGTERM')

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server
    if (!server) return
    const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
    server.kill(signal)
    await closed
    this.#server = null
  }

  async admin(method: string, path: string, body?: Reply): Promise<Reply> {
    const response = await fetch(`${this.#url}/admin/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#adminToken}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const reply = (await response.json()) as Reply
    if (!response.ok) throw new Error(`${method} ${path}: ${String(reply['msg'])}`)
    return reply
  }

  /** The server that came back hands out what was uploaded since it was looked at last. */
  async download(): Promise<void> {
    await Promise.all(this.writers.map(({ caller, uploads }) => uploads.download(caller)))
  }

  /**
   * Looks at a copy: the server itself is to recover what the dead one left.
   * @param isLast whether it is time to look at everything, and all that was due should be done
   */
  async examine(copy: string, isLast = false): Promise<void> {
    await rm(copy, { recursive: true, force: true })
    await mkdir(copy)
    const file = join(copy, 'parley.db')
    await copyFile(join(this.#dataDir, 'parley.db'), file)
    await copyFile(join(this.#dataDir, 'parley.db-wal'), `${file}-wal`).catch(() => {})
    const db = await openDatabase(file)
    try {
      const problems = db.check(true)
      if (problems.length > 0) throw new Error(problems.join('; '))
      assertNothingHalf(db)
      assertLinksHold(db)
      if (isLast) assertNothingOverdue(db, Math.floor(Date.now() / 1000) - 1)
      for (const writer of this.writers) writer.examine(db, join(this.#dataDir, 'uploads'), isLast)
    } finally {
      db.abandon()
    }
  }

  counts(): Omit<KillOutcome, 'rounds'> {
    const sum = (of: (writer: Writer) => number): number => this.writers.reduce((n, w) => n + of(w), 0)
    return {
      acknowledged: sum((writer) => writer.acknowledged),
      cutOff: sum((writer) => writer.cutOff),
      cutOffButThere: sum((writer) => writer.cutOffButThere()),
      uploads: sum(({ uploads }) => uploads.count),
      delivered: sum(({ schedule }) => schedule.delivered),
      slowestStart: Math.round(this.#slowestStart),
    }
  }
}

/** What belongs together, of all rows there are. */
function assertNothingHalf(db: Database): void {
  const counts = db.first<Record<string, number>>(`SELECT
    (SELECT count(*) FROM messages AS m WHERE m.conversation_id NOT IN (SELECT id FROM conversations)) AS homeless,
    (SELECT count(*) FROM channels AS c WHERE c.name LIKE 'channel %' AND NOT EXISTS
      (SELECT 1 FROM subscriptions AS s WHERE s.channel_id = c.id AND s.user_id = c.creator_id)) AS unsubscribed,
    (SELECT count(*) FROM channels AS c WHERE c.name LIKE 'channel %' AND NOT EXISTS
      (SELECT 1 FROM conversations AS v JOIN spans AS p ON p.conversation_id = v.id
        WHERE v.channel_id = c.id AND p.user_id = c.creator_id)) AS unheard,
    (SELECT count(*) FROM channels WHERE description <> '' AND rendered_description
      <> '<p>' || description || '</p>') AS unrendered,
    (SELECT count(*) FROM (SELECT 1 FROM messages WHERE content LIKE 'writer %'
      GROUP BY content HAVING count(*) > 1)) AS twice,
    (SELECT count(*) FROM messages WHERE content LIKE 'writer %'
      AND rendered_content <> '<p>' || content || '</p>') AS half_edited,
    (SELECT count(*) FROM messages WHERE edit_history IS NULL
      AND coalesce(last_edit_timestamp, last_moved_timestamp, received_in) IS NOT NULL) AS without_history,
    (SELECT count(*) FROM messages AS m WHERE m.received_in IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM moved_to AS t
        WHERE t.received_in = m.received_in AND t.conversation_id = m.conversation_id)) AS half_moved,
    (SELECT count(*) FROM channels AS c JOIN conversations AS v ON v.channel_id = c.id
      WHERE c.first_message_id IS NOT (SELECT min(id) FROM messages WHERE conversation_id = v.id)) AS wrong_first,
    (SELECT coalesce(sum(messages), 0) FROM channel_traffic) < (SELECT count(*) FROM messages AS m
      JOIN conversations AS v ON v.id = m.conversation_id WHERE v.channel_id IS NOT NULL) AS uncounted`)
  const halves = Object.entries(counts ?? {}).filter(([, count]) => count !== 0)
  if (halves.length > 0) throw new Error(`Half there: ${JSON.stringify(halves)}`)
}

/** Something with a value that one write after another replaces. */
interface Value {
  acknowledged: string
  /** What the write that was cut off would have made of it. */
  wanted: string | null
}

/** What is known of a message: what it says, and where it stands, as `channel/topic`. */
interface Message {
  content: Value
  place: Value
}

const value = (acknowledged: string): Value => ({ acknowledged, wanted: null })

class Writer {
  acknowledged = 0
  cutOff = 0
  readonly caller: Caller
  readonly uploads: Uploads
  readonly schedule: Schedule
  /** Somebody to write to. */
  colleague = 0
  #cutOffButThere = 0
  readonly #number: number
  readonly #user: Credentials
  readonly #random: Random
  #count = 0
  /** All messages that were acknowledged, by id. */
  readonly #messages = new Map<number, Message>()
  readonly #channels: { name: string; id: number | null; description: Value }[] = []
  readonly #name: Value
  readonly #starred = new Set<number>()
  readonly #reacted = new Set<number>()
  readonly #deleted = new Set<number>()
  #deletionCutOff: number | null = null
  #messageCutOff: string | null = null
  #channelCutOff: string | null = null
  /** Values that the write under way changes together. */
  #together: Value[] = []
  #generalId: number | null = null

  constructor(number: number, user: Credentials) {
    this.#number = number
    this.#user = user
    this.#random = new Random(number)
    this.caller = new Caller(user)
    this.uploads = new Uploads(this.#random)
    this.schedule = new Schedule(number, this.#random)
    this.#name = value(`Writer ${number} 0`)
  }

  cutOffButThere(): number {
    return this.#cutOffButThere + this.uploads.cutOffButThere + this.schedule.cutOffButThere
  }

  /** Writes one thing after the other, until the server is gone. */
  async write(): Promise<void> {
    for (;;) {
      try {
        await this.#writeOne()
        this.acknowledged++
      } catch (error) {
        if (!(error instanceof CutOffError)) throw error
        this.cutOff++
        return
      }
    }
  }

  async #writeOne(): Promise<void> {
    const number = ++this.#count
    // Even a short run has some of each of those that take long.
    const kind = number === 1 ? 30 + (this.#number % 10) : this.#random.below(40)
    const channel = this.#random.pick(this.#channels)
    const message = this.#newestMessages()[this.#random.below(20)]
    if (kind === 0) {
      const name = `channel ${this.#number} ${number}`
      this.#channelCutOff = name
      await this.caller.call('POST', '/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name }]),
      })
      this.#channelCutOff = null
      this.#channels.push({ name, id: null, description: value('') })
    } else if (kind <= 2 && channel) {
      channel.id ??= await this.#idOf(channel.name)
      await this.#replace(channel.description, `Description ${number}`, (description) =>
        this.caller.call('PATCH', `/streams/${channel.id}`, { description }),
      )
    } else if (kind === 3) {
      await this.#replace(this.#name, `Writer ${this.#number} ${number}`, (full_name) =>
        this.caller.call('PATCH', `/users/${this.#user.user_id}`, { full_name }),
      )
    } else if (kind <= 6 && message) {
      const fields = { messages: JSON.stringify([message]), op: 'add', flag: 'starred' }
      await this.caller.call('POST', '/messages/flags', fields)
      this.#starred.add(message)
    } else if (kind === 7 && message) {
      this.#deletionCutOff = message
      await this.caller.call('DELETE', `/messages/${message}`, {})
      this.#deletionCutOff = null
      this.#forget(message)
    } else if (kind >= 20 && kind < 30 && message) {
      await this.#edit(message, kind, number)
    } else if (kind === 30 && message && !this.#reacted.has(message)) {
      // Refused where it is there because of a write that was cut off.
      await unlessRefused(this.caller.call('POST', `/messages/${message}/reactions`, { emoji_name: 'tada' }))
      this.#reacted.add(message)
    } else if (kind >= 31 && kind < 34) {
      await this.uploads.upload(this.caller, `file ${this.#number} ${number}.bin`)
    } else if (kind >= 36) {
      const to = this.#random.chance(0.5) ? await this.#general() : this.colleague
      const where = {
        type: to === this.colleague ? 'direct' : 'channel',
        to: JSON.stringify(to),
        topic: 'later',
      }
      await this.schedule.change(this.caller, number, where)
    } else {
      const link = kind >= 34 && this.uploads.link()
      const text = `${this.#number} number ${number} ${'and so on '.repeat(this.#random.below(40))}.`
      const content = link ? `shown by ${text} ${link}` : `writer ${text}`
      this.#messageCutOff = content
      const to = kind < 12 && channel ? channel.name : 'general'
      const topic = `topic ${number % 7}`
      const fields = { type: 'channel', to, topic, content }
      const { id } = await this.caller.call('POST', '/messages', fields)
      this.#messageCutOff = null
      this.#messages.set(id as number, { content: value(content), place: value(`${to}/${topic}`) })
    }
  }

  /** Edits a message, moves it, does both at once, or moves a whole topic of which all messages are the writer's. */
  async #edit(id: number, kind: number, number: number): Promise<void> {
    const message = this.#messages.get(id)
    if (!message) return
    const [channelName = '', oldTopic = ''] = message.place.acknowledged.split('/')
    const fields: Record<string, string> = { send_notification_to_new_thread: String(number % 2 === 0) }
    const topic = `moved ${number}`
    if (kind <= 25) {
      message.content.wanted = fields['content'] = `writer ${this.#number} edited ${number}.`
      this.#together.push(message.content)
    }
    if (kind >= 25) {
      const target = kind >= 28 ? this.#random.pick([...this.#channels, null]) : undefined
      const to = target === undefined ? channelName : (target?.name ?? 'general')
      if (to !== channelName) {
        const known = target ? (target.id ??= await this.#idOf(to)) : await this.#general()
        fields['stream_id'] = String(known)
      }
      fields['topic'] = topic
      const isWhole = kind === 27 && channelName !== 'general'
      if (isWhole) fields['propagate_mode'] = 'change_all'
      for (const other of isWhole ? this.#messages.values() : [message]) {
        if (other.place.acknowledged !== `${channelName}/${oldTopic}`) continue
        other.place.wanted = `${to}/${topic}`
        this.#together.push(other.place)
      }
    }
    await this.caller.call('PATCH', `/messages/${id}`, fields)
    for (const changed of this.#together.splice(0)) {
      changed.acknowledged = changed.wanted ?? changed.acknowledged
      changed.wanted = null
    }
  }

  async #general(): Promise<number> {
    this.#generalId ??= await this.#idOf('general')
    return this.#generalId
  }

  #newestMessages(): number[] {
    return [...this.#messages.keys()].slice(-20)
  }

  #forget(message: number): void {
    this.#messages.delete(message)
    this.#starred.delete(message)
    this.#reacted.delete(message)
    this.#deleted.add(message)
  }

  async #replace(value: Value, wanted: string, write: (wanted: string) => Promise<unknown>): Promise<void> {
    value.wanted = wanted
    await write(wanted)
    value.acknowledged = wanted
    value.wanted = null
  }

  async #idOf(name: string): Promise<number> {
    const { subscriptions } = await this.caller.call('GET', '/users/me/subscriptions', {})
    const found = (subscriptions as { name: string; stream_id: number }[]).find((one) => one.name === name)
    if (!found) throw new Error(`${name} is not there`)
    return found.stream_id
  }

  /** Everything acknowledged must be there; what was cut off may be, and then counts from now on. */
  examine(db: Database, uploadFolder: string, isLast: boolean): void {
    this.uploads.examine(db, uploadFolder, isLast)
    this.schedule.examine(db)
    const isThere = (id: number) => db.first('SELECT 1 FROM messages WHERE id = ?', [id]) !== undefined
    if (this.#deletionCutOff !== null && !isThere(this.#deletionCutOff)) {
      this.#cutOffButThere++
      this.#forget(this.#deletionCutOff)
    }
    this.#deletionCutOff = null
    for (const id of this.#deleted) if (isThere(id)) throw new Error(`Message ${id} has come back`)
    for (const id of this.#starred) {
      const flags = 'SELECT 1 FROM message_flags WHERE message_id = ? AND user_id = ? AND flags & 1'
      if (!db.first(flags, [id, this.#user.user_id])) throw new Error(`Message ${id} has lost its star`)
    }
    for (const id of this.#reacted) {
      const reaction = 'SELECT 1 FROM reactions WHERE message_id = ? AND user_id = ?'
      if (!db.first(reaction, [id, this.#user.user_id])) throw new Error(`Message ${id} has lost a reaction`)
    }
    const wanted = this.#together.splice(0).map((one) => ({ one, wanted: one.wanted }))
    for (const [id, { content, place }] of this.#messages) {
      const row = db.first<{ content: string; place: string }>(
        `SELECT m.content, c.name || '/' || m.topic AS place FROM messages AS m
          JOIN conversations AS v ON v.id = m.conversation_id JOIN channels AS c ON c.id = v.channel_id
          WHERE m.id = ?`,
        [id],
      )
      this.#settle(`Message ${id}`, content, row?.content)
      this.#settle(`The place of message ${id}`, place, row?.place)
    }
    const done = wanted.filter((change) => change.one.acknowledged === change.wanted)
    if (done.length > 0 && done.length < wanted.length) {
      throw new Error(`Of what was to change together, only ${JSON.stringify(done)} has`)
    }
    if (this.#messageCutOff !== null) {
      if (db.first('SELECT 1 FROM messages WHERE content = ?', [this.#messageCutOff])) this.#cutOffButThere++
      this.#messageCutOff = null
    }
    if (this.#channelCutOff !== null) {
      if (db.first('SELECT 1 FROM channels WHERE name = ?', [this.#channelCutOff])) this.#cutOffButThere++
      this.#channelCutOff = null
    }
    for (const { name, description } of this.#channels) {
      const row = db.first<{ description: string }>('SELECT description FROM channels WHERE name = ?', [name])
      this.#settle(`Channel ${name}`, description, row?.description)
    }
    const row = db.first<{ full_name: string }>('SELECT full_name FROM users WHERE id = ?', [
      this.#user.user_id,
    ])
    this.#settle(`User ${this.#user.user_id}`, this.#name, row?.full_name)
  }

  #settle(what: string, value: Value, found: string | undefined): void {
    if (found === undefined) throw new Error(`${what} is not there`)
    if (found !== value.acknowledged && found !== value.wanted) {
      throw new Error(`${what} has "${found}", not "${value.acknowledged}" or "${value.wanted}"`)
    }
    if (found === value.wanted) this.#cutOffButThere++
    value.acknowledged = found
    value.wanted = null
  }
}
