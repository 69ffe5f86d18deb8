/** How fast messages are searched, read and marked among a million. */
import { join } from 'node:path'
import { openDatabase } from '../server/db/database.ts'
import { Connection, formatRequest } from './lib/connection.ts'
import type { Figure } from './lib/figures.ts'
import { compare, loadFigures } from './lib/load.ts'
import { fillMessages, furnish, type Office, startParley, temporaryFolder, topicName } from './lib/parley.ts'
import { serveInChild } from './lib/processes.ts'
import { bareReads, readsTo } from './reads.ts'

const MESSAGES = 1_000_000

export const title =
  'the newest 100 of a search or a topic, and a star on 5,000, among 1,000,000 messages; bare: the same bytes'

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const empty = await startParley(folder)
  const office = await furnish(empty, 20)
  await empty.stop()
  await fillMessages(folder, office, MESSAGES)
  await indexMessages(folder)

  const parley = await startParley(folder)
  const figures: Figure[] = []
  for (const [name, requestsTo] of Object.entries(kinds)) {
    const requests = requestsTo(parley.url, office)
    const connection = await Connection.open(parley.url)
    const reply = await connection.request(requests[0] ?? '')
    connection.close()
    const bare = await serveInChild(new URL('reads.ts', import.meta.url).href, bareReads, reply.toString())
    const compared = await compare({
      parley: { pid: parley.pid, url: parley.url, requests },
      bare: { pid: bare.pid, url: bare.result, requests: requestsTo(bare.result, office) },
      clients: [1],
      seconds: 1.5,
      rounds: 3,
    })
    await bare.stop()
    figures.push(...loadFigures(compared, name))
  }
  await parley.stop()
  return figures
}

/** As an upgrade does it; the server itself would take its time, in quiet moments. */
async function indexMessages(folder: string): Promise<void> {
  const db = await openDatabase(join(folder, 'parley.db'))
  db.transact(() => {
    db.run("INSERT INTO message_search (message_search) VALUES ('rebuild')")
    db.run(
      `UPDATE server_settings SET value = (SELECT MAX(id) FROM messages) WHERE key = 'search_indexed_through'`,
    )
  })
  await db.close()
}

const searchesTo =
  (termsOf: (i: number, office: Office) => readonly (readonly [string, string])[]) =>
  (url: string, office: Office): string[] =>
    Array.from({ length: 50 }, (_, i) => {
      const narrow = JSON.stringify(termsOf(i, office))
      const query = new URLSearchParams({ anchor: 'newest', num_before: '100', num_after: '0', narrow })
      const as = office.users[i % office.users.length]
      return formatRequest(url, 'GET', `/api/v1/messages?${query}`, { ...(as ? { as } : {}) })
    })

/** Set and taken away in turn, so that every request changes all of them. */
const starsTo = (url: string, { users, channel }: Office): string[] =>
  (['add', 'remove'] as const).map((op) => {
    const as = users[0]
    const form = {
      anchor: 'newest',
      num_before: '5000',
      num_after: '0',
      narrow: JSON.stringify([['channel', channel.name]]),
      op,
      flag: 'starred',
    }
    return formatRequest(url, 'POST', '/api/v1/messages/flags/narrow', { ...(as ? { as } : {}), form })
  })

const kinds: Record<string, (url: string, office: Office) => string[]> = {
  topic: readsTo,
  'a word of every message': searchesTo(() => [['search', 'lunch']]),
  'a phrase of every message': searchesTo(() => [['search', '"build is green"']]),
  'a word of one message': searchesTo((i) => [['search', String(i * 19_999)]]),
  'a common word in a topic': searchesTo((i, { channel }) => [
    ['channel', channel.name],
    ['topic', topicName(i)],
    ['search', 'lunch'],
  ]),
  stars: starsTo,
}
