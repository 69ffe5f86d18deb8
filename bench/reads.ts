/** How fast a topic is read in a database that has grown. */
import { listen, sendJson } from './lib/bare.ts'
import { Connection, formatRequest } from './lib/connection.ts'
import type { Figure } from './lib/figures.ts'
import { compare, loadFigures } from './lib/load.ts'
import { fillMessages, furnish, type Office, startParley, temporaryFolder, topicName } from './lib/parley.ts'
import { serveInChild } from './lib/processes.ts'

export const title = 'GET /messages, the 100 newest of a topic among 100,000 messages; bare: the same bytes'

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const empty = await startParley(folder)
  const office = await furnish(empty, 20)
  await empty.stop()
  await fillMessages(folder, office, 100_000)

  const parley = await startParley(folder)
  const requests = readsTo(parley.url, office)
  const connection = await Connection.open(parley.url)
  const reply = await connection.request(requests[0] ?? '')
  connection.close()
  const bare = await serveInChild(import.meta.url, bareReads, reply.toString())
  const compared = await compare({
    parley: { pid: parley.pid, url: parley.url, requests },
    bare: { pid: bare.pid, url: bare.result, requests: readsTo(bare.result, office) },
    clients: [1, 16],
    seconds: 1.5,
    rounds: 3,
  })
  await Promise.all([parley.stop(), bare.stop()])
  return loadFigures(compared, 'reads')
}

/** Different users and topics in turn. */
export const readsTo = (url: string, { users, channel }: Office): string[] =>
  Array.from({ length: 50 }, (_, i) => {
    const narrow = JSON.stringify([
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: topicName(i) },
    ])
    const query = new URLSearchParams({ anchor: 'newest', num_before: '100', num_after: '0', narrow })
    return formatRequest(url, 'GET', `/api/v1/messages?${query}`, { as: users[i % users.length] })
  })

export function bareReads(text: string): Promise<string> {
  const body = Buffer.from(text)
  return listen((_req, res) => sendJson(res, body))
}
