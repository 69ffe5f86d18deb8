/** What the storage does without HTTP around it: durable sends, opening large databases, and pauses. */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fdatasync, openSync, statSync, writeSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../server/config.ts'
import { RealmContext } from '../server/context.ts'
import { filesBelow } from '../server/features/backups/stored-files.ts'
import { channelById, channelByName } from '../server/features/channels/store.ts'
import { sendMessage } from '../server/features/messages/actions.ts'
import { prepareContent } from '../server/features/messages/content.ts'
import { conversationOfChannel } from '../server/features/messages/conversations.ts'
import { realmByStringId } from '../server/features/realms/store.ts'
import { userByEmail } from '../server/features/users/access.ts'
import { createServer } from '../server/server.ts'
import type { Figure } from './lib/figures.ts'
import {
  fillMessages,
  fillUploads,
  furnish,
  messageText,
  startParley,
  temporaryFolder,
  topicName,
} from './lib/parley.ts'
import { residentMb } from './lib/proc.ts'
import { inChild } from './lib/processes.ts'
import { startBare } from './start.ts'

export const title =
  'sends that are on disk, opening large databases, pauses; bare: the same bytes written and synced'

/** The long form: five minutes of writing, as an office might fear them, and a backup of a gigabyte meanwhile. */
const isLong = process.argv.includes('--long')

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const parley = await startParley(folder)
  const office = await furnish(parley, 20)
  await parley.stop()
  const figures = await inChild(import.meta.url, writeInProcess, { folder, seconds: isLong ? 300 : 20 })
  const bare = await startBare()
  const idle = { readyMs: bare.readyMs, memory: residentMb(bare.pid) }
  await bare.stop()
  for (const count of [10_000, 100_000, 1_000_000]) {
    await fillMessages(folder, office, count - (await countMessages(folder)))
    figures.push(...(await openings(folder, count, idle)))
  }
  if (isLong) {
    const database = statSync(join(folder, 'parley.db')).size
    await fillUploads(folder, office, Math.ceil((1e9 - database) / (64 << 10)))
    figures.push(...(await inChild(import.meta.url, backUpInProcess, folder)))
  }
  return figures
}

const countMessages = (folder: string): Promise<number> => inChild(import.meta.url, countIn, folder)

export async function countIn(folder: string): Promise<number> {
  const { openDatabase } = await import('../server/db/database.ts')
  const db = await openDatabase(join(folder, 'parley.db'))
  const count = db.first<{ count: number }>('SELECT count(*) AS count FROM messages')?.count ?? 0
  await db.close()
  return count
}

/** Opens the same folder after a clean stop, and after the server was killed. */
async function openings(
  folder: string,
  count: number,
  bare: { readyMs: number; memory: number },
): Promise<Figure[]> {
  const name = `${count.toLocaleString('en')} messages`
  const clean = await startParley(folder)
  const memory = residentMb(clean.pid)
  process.kill(clean.pid, 'SIGKILL')
  await clean.stop()
  const killed = await startParley(folder)
  await killed.stop()
  return [
    { name: `${name}: ready after a clean stop`, unit: 'ms', parley: clean.readyMs, bare: bare.readyMs },
    { name: `${name}: ready after kill -9`, unit: 'ms', parley: killed.readyMs, bare: bare.readyMs },
    { name: `${name}: memory`, unit: 'MB', parley: memory, bare: bare.memory },
  ]
}

/** The server in this process, and what sends a message in it and waits until that is on disk. */
async function startInProcess(folder: string) {
  const { server, close } = await createServer(loadConfig({ dataDir: folder, port: 0, log: 'warn' }, {}), {
    privately: true,
  })
  const realm = realmByStringId(server.database, 'bench')
  if (!realm) throw new Error('There is no realm')
  const ctx = new RealmContext(server, realm)
  const sender = userByEmail(ctx.db, 'owner@bench.example')
  const channel = channelByName(ctx.db, 'general')
  if (!sender || !channel) throw new Error('There is no office')
  let number = 0
  const send = async () => {
    ctx.transact((tx) => {
      const target = { channel: channelById(tx, channel.id) ?? channel, topic: topicName((number += 1)) }
      const content = prepareContent(ctx, tx, sender, messageText(number), target)
      sendMessage(ctx, tx, sender, { target, content, client: 'bench', readBySender: true, realmUrl: '' })
    })
    await server.database.durable()
  }
  return { server, close, ctx, sender, channel, send }
}

/**
 * Writes from so many writers who each wait until theirs is on disk: one value, rows with all their indexes, and messages
 * as the operation sends them.
 */
export async function writeInProcess({ folder, seconds }: { folder: string; seconds: number }) {
  const { server, close, ctx, sender, channel, send } = await startInProcess(folder)
  const row = {
    conversation_id: conversationOfChannel(ctx.db, channel.id),
    sender_id: sender.id,
    topic: 'rows',
    topic_key: 'rows',
    content: messageText(0),
    rendered_content: messageText(0),
    client: 'bench',
    timestamp: 0,
  }
  const insert = async () => {
    ctx.transact((tx) => tx.insert('messages', row))
    await server.database.durable()
  }

  let value = 0
  /** The least that a transaction can write: what the storage itself costs. */
  const overwrite = async () => {
    server.database.transact(() =>
      server.database.run('INSERT OR REPLACE INTO server_settings (key, value) VALUES (?, ?)', [
        'bench',
        String((value += 1)),
      ]),
    )
    await server.database.durable()
  }

  const figures: Figure[] = []
  for (const [what, act] of [
    ['values', overwrite],
    ['rows', insert],
    ['messages', send],
  ] as const) {
    await repeat(16, 1, act)
    const bytes = await logBytesOf(folder, act)
    for (const writers of [1, 16, 128]) {
      const bare = new BareLog(join(folder, 'bare.log'), bytes)
      const theirs = await repeat(writers, 3, () => bare.append())
      bare.close()
      const ours = await repeat(writers, 3, act)
      figures.push({ name: `${writers} writers: ${what} on disk`, unit: '/s', parley: ours, bare: theirs })
    }
  }

  const log = new BareLog(join(folder, 'bare.log'), 4 * 4120)
  const bare = await pausesWhile(() => log.append(), Math.min(seconds, 20))
  log.close()
  const parley = await pausesWhile(send, seconds)
  figures.push(
    {
      name: `${seconds} s of writing: 99 % of pauses within`,
      unit: 'ms',
      parley: parley.p99,
      bare: bare.p99,
    },
    { name: `${seconds} s of writing: longest pause`, unit: 'ms', parley: parley.max, bare: bare.max },
  )
  await close()
  return figures
}

/**
 * Pauses of an office that writes, of the same without a backup, and of a process that copies the same bytes. The
 * machine's own pauses are in all three.
 */
export async function backUpInProcess(folder: string): Promise<Figure[]> {
  const { server, close, send } = await startInProcess(folder)
  const target = join(folder, 'bench.parley-backup')
  const copying = await pausesDuring(
    () => sleep(20),
    () => copyBare(folder, target),
  )
  await rm(target)
  const idle = await pausesWhile(send, 20)
  const saving = await pausesDuring(send, async () => {
    const job = server.backups.create(target)
    while (server.backups.job(job.id).state === 'running') await sleep(20)
    if (job.state !== 'done') throw new Error(job.error)
  })
  await close()
  const name = 'backup of 1 GB, written and read again'
  return [
    { name, unit: 'ms', parley: saving.ms, bare: copying.ms },
    { name: 'writing meanwhile: 99 % of pauses within', unit: 'ms', parley: saving.p99, bare: copying.p99 },
    { name: 'writing meanwhile: longest pause', unit: 'ms', parley: saving.max, bare: copying.max },
    { name: 'writing without: longest pause', unit: 'ms', parley: idle.max, bare: copying.max },
  ]
}

/** All files of a folder into one, synced as it grows, and read again; each byte is hashed both times. */
async function copyBare(folder: string, target: string): Promise<void> {
  const read = (file: string) => createReadStream(file, { highWaterMark: 256 << 10 })
  const names: string[] = []
  for await (const name of filesBelow(folder)) if (!name.startsWith('bench.')) names.push(name)
  const handle = await open(target, 'w')
  let unsynced = 0
  for (const name of names) {
    const hash = createHash('sha256')
    for await (const chunk of read(join(folder, name))) {
      hash.update(chunk as Buffer)
      await handle.write(chunk as Buffer)
      unsynced += (chunk as Buffer).length
      if (unsynced < 4 << 20) continue
      await handle.datasync()
      unsynced = 0
    }
    hash.digest()
  }
  await handle.sync()
  await handle.close()
  const hash = createHash('sha256')
  for await (const chunk of read(target)) hash.update(chunk as Buffer)
}

const pausesWhile = (act: () => Promise<unknown>, seconds: number): Promise<Pauses> =>
  pausesDuring(act, () => sleep(seconds * 1000))

interface Pauses {
  /** How long it all took, in milliseconds. */
  ms: number
  p99: number
  max: number
}

/** An office that writes a lot, not a load that leaves no room: sixteen writers, each a few dozen times a second. */
async function pausesDuring(act: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Pauses> {
  const pauses = monitorEventLoopDelay({ resolution: 1 })
  pauses.enable()
  const begun = performance.now()
  let goesOn = true
  const writers = Array.from({ length: 16 }, async () => {
    while (goesOn) {
      await act()
      await sleep(20 + Math.random() * 40)
    }
  })
  await Promise.race([work(), Promise.all(writers)])
  const ms = performance.now() - begun
  goesOn = false
  await Promise.all(writers)
  pauses.disable()
  return { ms, p99: pauses.percentile(99) / 1e6, max: pauses.max / 1e6 }
}

/** @returns how often per second */
async function repeat(writers: number, seconds: number, act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  const end = begun + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < end) {
        await act()
        count += 1
      }
    }),
  )
  return (count / (performance.now() - begun)) * 1000
}

/** Bytes of log that one write makes. */
async function logBytesOf(folder: string, act: () => Promise<void>): Promise<number> {
  const size = () => statSync(join(folder, 'parley.db-wal')).size
  for (let tries = 0; tries < 20; tries += 1) {
    const before = size()
    for (let i = 0; i < 20; i += 1) await act()
    // The log is written from its start again now and then, and does not grow.
    if (size() > before) return Math.round((size() - before) / 20)
  }
  return 4 * 4120
}

/** The same as a log of commits: append, and share the next sync with whoever wrote meanwhile. */
class BareLog {
  readonly #descriptor: number
  readonly #chunk: Buffer
  #position = 0
  #waiting: (() => void)[] = []
  #syncing = false

  constructor(file: string, bytes: number) {
    this.#descriptor = openSync(file, 'w')
    this.#chunk = Buffer.alloc(bytes, 0x5a)
  }

  append(): Promise<void> {
    writeSync(this.#descriptor, this.#chunk, 0, this.#chunk.length, this.#position)
    this.#position = (this.#position + this.#chunk.length) % (4 << 20)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#syncing) this.#sync()
    })
  }

  #sync(): void {
    this.#syncing = true
    const covered = this.#waiting
    this.#waiting = []
    fdatasync(this.#descriptor, (error) => {
      if (error) throw error
      for (const resolve of covered) resolve()
      if (this.#waiting.length > 0) this.#sync()
      else this.#syncing = false
    })
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
