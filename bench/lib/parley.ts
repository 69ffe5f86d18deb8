/** Parley as it is installed, in a process of its own, and an office that uses it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase, type SqlValue } from '../../server/db/database.ts'
import { Connection, type Credentials, formatRequest } from './connection.ts'
import { atTheEnd, type Program, startNode } from './processes.ts'

const command = fileURLToPath(new URL('../../bin/parley.js', import.meta.url))

export interface Parley extends Program {
  url: string
  adminToken: string
}

let profiling: string[] = []
export function writeProfilesTo(folder: string): void {
  profiling = ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`]
}

/** Starts the built server as an office runs it: without `--dev`, which checks every reply and event once more. */
export async function startParley(dataDir: string): Promise<Parley> {
  const words = ['serve', '--data-dir', dataDir, '--port', '0', '--log', 'warn']
  const program = await startNode([...profiling, command, ...words], 'parley ready ')
  const ready = JSON.parse(program.line.slice(program.line.indexOf('{'))) as { url: string; adminUrl: string }
  return { ...program, url: ready.url, adminToken: /token=(.*)$/.exec(ready.adminUrl)?.[1] ?? '' }
}

/** An empty folder that is gone when the bench is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  atTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Office {
  owner: Credentials
  /** Everybody but the owner, all subscribed to the channel. */
  users: Credentials[]
  channel: { id: number; name: string }
}

/** Makes an organization with one channel that everybody is subscribed to. */
export async function furnish({ url, adminToken }: Parley, userCount: number): Promise<Office> {
  const admin = async <Reply>(path: string, body: object): Promise<Reply> => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/admin/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`)
    return (await response.json()) as Reply
  }
  const realm = { name: 'bench', owner_email: 'owner@bench.example', owner_name: 'Owner' }
  const { owner } = await admin<{ owner: Credentials }>('/realms', realm)
  const name = 'general'
  const api = await Connection.open(url)
  const form = { subscriptions: JSON.stringify([{ name }]), is_default_stream: 'true' }
  await api.request(formatRequest(url, 'POST', '/api/v1/users/me/subscriptions', { as: owner, form }))
  const reply = await api.request(formatRequest(url, 'GET', '/api/v1/users/me/subscriptions', { as: owner }))
  api.close()
  const { subscriptions } = JSON.parse(reply.toString()) as { subscriptions: { stream_id: number }[] }
  // Who joins later is subscribed to the default channel.
  const users = await Promise.all(
    Array.from({ length: userCount }, (_, i) =>
      admin<Credentials>('/realms/bench/users', { email: `user${i}@bench.example`, full_name: `User ${i}` }),
    ),
  )
  return { owner, users, channel: { id: subscriptions[0]?.stream_id ?? 0, name } }
}

export const topicName = (i: number): string => `topic ${i % 50}`
/** About as long as people write. */
export const messageText = (i: number): string =>
  `Number ${i}: the build is **green** again, see https://ci.example/runs/${i} for what it was. ` +
  'Could somebody look at the log before we ship? I will be back after lunch.'

/** Writes messages into the database of a server that is stopped, in one transaction, evenly over fifty topics. */
export async function fillMessages(dataDir: string, { channel }: Office, count: number): Promise<void> {
  const db = await openDatabase(join(dataDir, 'parley.db'))
  const one = (sql: string, params: SqlValue[] = []): number => {
    const row = db.first<{ value: number }>(sql, params)
    if (!row) throw new Error(`Nothing found: ${sql}`)
    return row.value
  }
  const conversation = one('SELECT id AS value FROM conversations WHERE channel_id = ?', [channel.id])
  const realm = one('SELECT realm_id AS value FROM channels WHERE id = ?', [channel.id])
  const first = one('SELECT COALESCE(MAX(id), 0) + 1 AS value FROM messages')
  const senders = db.all<{ id: number }>('SELECT id FROM users WHERE is_bot = 0')
  const now = Math.floor(Date.now() / 1000)
  db.transact(() => {
    for (let i = 0; i < count; i += 1) {
      const sender = senders[i % senders.length]?.id ?? null
      const text = messageText(i)
      db.run(
        `INSERT INTO messages (realm_id, conversation_id, sender_id, topic, topic_key, content, rendered_content,
           client, timestamp) VALUES (?, ?, ?, ?, ?, ?, ?, 'website', ?)`,
        [
          realm,
          conversation,
          sender,
          topicName(i),
          topicName(i),
          text,
          `<p>${text}</p>`,
          now - (count - i) * 30,
        ],
      )
    }
    db.run('UPDATE channels SET first_message_id = COALESCE(first_message_id, ?) WHERE id = ?', [
      first,
      channel.id,
    ])
  })
  await db.close()
}

/** Puts uploads of 64 kB into the data folder of a server that is stopped, as if its owner had uploaded them. */
export async function fillUploads(dataDir: string, { owner }: Office, count: number): Promise<void> {
  const db = await openDatabase(join(dataDir, 'parley.db'))
  const user = db.first<{ id: number; realm_id: number }>(
    'SELECT id, realm_id FROM users WHERE delivery_email = ?',
    [owner.email],
  )
  if (!user) throw new Error('There is no owner')
  const bytes = randomBytes(64 << 10)
  db.transact(() => {
    for (let i = 0; i < count; i += 1) {
      const pathId = `${user.realm_id}/${(i % 256).toString(16).padStart(2, '0')}/${randomBytes(18).toString('base64url')}/${i}.bin`
      const file = join(dataDir, 'uploads', pathId)
      mkdirSync(dirname(file), { recursive: true })
      bytes.writeUInt32LE(i)
      writeFileSync(file, bytes)
      db.run(
        `INSERT INTO attachments (realm_id, owner_id, name, path_id, content_type, size, create_time)
           VALUES (?, ?, ?, ?, 'application/octet-stream', ?, ?)`,
        [user.realm_id, user.id, `${i}.bin`, pathId, bytes.length, Date.now()],
      )
    }
  })
  await db.close()
}
