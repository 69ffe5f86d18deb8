/** How many messages a second are on disk and acknowledged. */
import { fdatasync, openSync, write } from 'node:fs'
import { join } from 'node:path'
import { listen, readBody, sendJson } from './lib/bare.ts'
import { formatRequest } from './lib/connection.ts'
import type { Figure } from './lib/figures.ts'
import { compare, loadFigures } from './lib/load.ts'
import { furnish, messageText, startParley, temporaryFolder, topicName } from './lib/parley.ts'
import { serveInChild } from './lib/processes.ts'

export const title =
  'POST /messages until it is on disk, in a channel of 20; bare: a form appended to a file, synced'

export async function measure(): Promise<Figure[]> {
  const parley = await startParley(temporaryFolder())
  const bare = await serveInChild(import.meta.url, bareSends, join(temporaryFolder(), 'log'))
  const { users, channel } = await furnish(parley, 20)
  const requestsTo = (url: string) =>
    Array.from({ length: 1000 }, (_, i) => {
      const form = { type: 'channel', to: String(channel.id), topic: topicName(i), content: messageText(i) }
      return formatRequest(url, 'POST', '/api/v1/messages', { as: users[i % users.length], form })
    })
  const compared = await compare({
    parley: { pid: parley.pid, url: parley.url, requests: requestsTo(parley.url) },
    bare: { pid: bare.pid, url: bare.result, requests: requestsTo(bare.result) },
    clients: [1, 16, 128],
    seconds: 1.5,
    rounds: 3,
  })
  await Promise.all([parley.stop(), bare.stop()])
  return loadFigures(compared, 'sends')
}

/** Parses the form, appends it to a file, and answers when a sync that began after the write is done. */
export function bareSends(file: string): Promise<string> {
  const log = openSync(file, 'a')
  let written: (() => void)[] = []
  let syncing = false
  const sync = () => {
    const covered = written
    written = []
    syncing = covered.length > 0
    if (!syncing) return
    fdatasync(log, (error) => {
      if (error) throw error
      for (const reply of covered) reply()
      sync()
    })
  }
  let id = 0
  return listen((req, res) => {
    readBody(req, (body) => {
      const message = Object.fromEntries(new URLSearchParams(body.toString()))
      id += 1
      const reply = JSON.stringify({ result: 'success', msg: '', id })
      write(log, `${JSON.stringify(message)}\n`, (error) => {
        if (error) throw error
        written.push(() => sendJson(res, reply))
        if (!syncing) {
          syncing = true
          setImmediate(sync)
        }
      })
    })
  })
}
