/** How fast a client of a large organization starts. */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadConfig } from '../server/config.ts'
import { openDatabase } from '../server/db/database.ts'
import { createServer } from '../server/server.ts'
import { Connection, type Credentials, formatRequest } from './lib/connection.ts'
import type { Figure } from './lib/figures.ts'
import { compare, loadFigures } from './lib/load.ts'
import { furnish, type Office, startParley, temporaryFolder } from './lib/parley.ts'
import { inChild, serveInChild } from './lib/processes.ts'
import { bareReads } from './reads.ts'

const USERS = 10_000
const CHANNELS = 500

export const title =
  'POST /register among 10,000 users and 500 channels, and an idle queue; bare: the same bytes'

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const empty = await startParley(folder)
  const office = await furnish(empty, 20)
  await empty.stop()
  await grow(folder)

  const parley = await startParley(folder)
  const figures: Figure[] = []
  for (const [name, form] of Object.entries(forms)) {
    const requests = registersTo(parley.url, office, form)
    const connection = await Connection.open(parley.url)
    const reply = await connection.request(requests[0] ?? '')
    connection.close()
    const bare = await serveInChild(new URL('reads.ts', import.meta.url).href, bareReads, reply.toString())
    const compared = await compare({
      parley: { pid: parley.pid, url: parley.url, requests },
      bare: { pid: bare.pid, url: bare.result, requests: registersTo(bare.result, office, form) },
      clients: [1],
      seconds: 2,
      rounds: 3,
    })
    await bare.stop()
    figures.push(...loadFigures(compared, name))
  }
  await parley.stop()

  const { users } = office
  const kilobytes = await inChild(import.meta.url, idleQueuesIn, { folder, users })
  figures.push({ name: 'an idle queue', unit: 'kB', parley: kilobytes, bare: Number.NaN })
  return figures
}

const capabilities = JSON.stringify({ user_settings_object: true, user_avatar_url_field_optional: true })
const forms: Record<string, Record<string, string>> = {
  registers: { client_capabilities: capabilities },
  'registers with subscribers': { client_capabilities: capabilities, include_subscribers: 'true' },
}

const registersTo = (url: string, { users }: Office, form: Record<string, string>): string[] =>
  users.map((as) => formatRequest(url, 'POST', '/api/v1/register', { as, form }))

/**
 * What a queue that nobody polls holds, without the snapshot that came with it. The server runs in this process, so that
 * what is garbage can be collected before it counts.
 */
export async function idleQueuesIn({ folder, users }: { folder: string; users: Credentials[] }) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heldBytes = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const { url, close } = await createServer(loadConfig({ dataDir: folder, port: 0, log: 'warn' }, {}))
  const form = { fetch_event_types: '[]', event_types: '["message"]' }
  const connection = await Connection.open(url)
  const open = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      for (const as of users) {
        await connection.request(formatRequest(url, 'POST', '/api/v1/register', { as, form }))
      }
    }
  }
  // What the first ones take is the compiler's.
  await open(20)
  const before = heldBytes()
  // No more than a user may have at once.
  await open(80)
  const kilobytes = (heldBytes() - before) / 1024 / (80 * users.length)
  connection.close()
  await close()
  return kilobytes
}

/** Adds people and channels to a server that is stopped: everybody is subscribed to ten channels. */
async function grow(folder: string): Promise<void> {
  const db = await openDatabase(join(folder, 'parley.db'))
  db.transact(() => {
    const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => i))
    db.run(
      `INSERT INTO users (realm_id, delivery_email, email_key, full_name, role, date_joined, api_key)
       SELECT realm_id, 'person' || n.value || '@bench.example', 'person' || n.value || '@bench.example',
         'Person Number ' || n.value, 400, date_joined, hex(randomblob(16))
         FROM json_each(?) n, (SELECT * FROM users WHERE role = 100) WHERE true`,
      [numbers(USERS)],
    )
    const columns = db
      .all<{ name: string }>('PRAGMA table_info(channels)')
      .map(({ name }) => name)
      .filter((name) => !['id', 'name', 'name_key'].includes(name))
    db.run(
      `INSERT INTO channels (name, name_key, ${columns.join()})
       SELECT 'channel ' || n.value, 'channel ' || n.value, ${columns.map((name) => `c.${name}`).join()}
         FROM json_each(?) n, (SELECT * FROM channels WHERE name = 'general') c`,
      [numbers(CHANNELS)],
    )
    db.exec(`
      INSERT INTO conversations (realm_id, channel_id)
        SELECT realm_id, id FROM channels WHERE name LIKE 'channel %';
      INSERT INTO subscriptions (realm_id, user_id, channel_id, color)
        SELECT u.realm_id, u.id, c.id, '#76ce90' FROM users u JOIN channels c
          ON c.name LIKE 'channel %' AND (u.id + c.id) % ${CHANNELS / 10} = 0 WHERE u.is_bot = 0;
      INSERT INTO spans (realm_id, user_id, conversation_id, from_id)
        SELECT s.realm_id, s.user_id, v.id, 0 FROM subscriptions s JOIN conversations v USING (channel_id)
          WHERE NOT EXISTS (SELECT 1 FROM spans p WHERE p.user_id = s.user_id AND p.conversation_id = v.id)`)
  })
  await db.close()
}
