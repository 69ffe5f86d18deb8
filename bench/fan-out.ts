/** How long a message takes to the last of many clients that wait for it. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, readBody, sendJson } from './lib/bare.ts'
import { Connection, type Credentials, formatRequest } from './lib/connection.ts'
import { type Figure, median } from './lib/figures.ts'
import { furnish, messageText, type Office, startParley, temporaryFolder, topicName } from './lib/parley.ts'
import { cpuMs } from './lib/proc.ts'
import { inChild, serveInChild } from './lib/processes.ts'

export const title = 'POST /messages until the last of many waiting GET /events has it; bare: the same bytes'

const sizes = [
  { users: 100, queuesEach: 1, rounds: 15 },
  { users: 250, queuesEach: 4, rounds: 7 },
]

export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { users, queuesEach, rounds } of sizes) {
    const parley = await startParley(temporaryFolder())
    const bare = await serveInChild(import.meta.url, bareLongPolls, undefined)
    const office = await furnish(parley, users)
    const waits = {
      parley: { pid: parley.pid, url: parley.url },
      bare: { pid: bare.pid, url: bare.result },
      office,
      queuesEach,
      rounds,
    }
    const outcome = await inChild(import.meta.url, deliverInTurn, waits)
    await Promise.all([parley.stop(), bare.stop()])
    figures.push(...figuresOf(users * queuesEach, outcome.parley, outcome.bare))
  }
  return figures
}

function figuresOf(queues: number, parley: Round[], bare: Round[]): Figure[] {
  const times = (rounds: Round[]) => rounds.map(({ ms }) => ms)
  const [ours, theirs] = [median(times(parley)), median(times(bare))]
  const slowest = { parley: Math.max(...times(parley)), bare: Math.max(...times(bare)) }
  const deliveries = { parley: (queues / ours) * 1000, bare: (queues / theirs) * 1000 }
  const computing = { parley: computedPerDelivery(queues, parley), bare: computedPerDelivery(queues, bare) }
  return [
    { name: `${queues} waiting: the last has it`, unit: 'ms', parley: ours, bare: theirs },
    { name: `${queues} waiting: slowest round`, unit: 'ms', ...slowest },
    { name: `${queues} waiting: deliveries`, unit: '/s', ...deliveries },
    { name: `${queues} waiting: computing for each`, unit: 'µs', ...computing },
  ]
}

const computedPerDelivery = (queues: number, rounds: Round[]): number =>
  (rounds.reduce((sum, { cpu }) => sum + cpu, 0) / rounds.length / queues) * 1000

interface Target {
  pid: number
  url: string
}

interface Waits {
  parley: Target
  bare: Target
  office: Office
  queuesEach: number
  rounds: number
}

/** Milliseconds until the last client had it, and those that the server computed. */
interface Round {
  ms: number
  cpu: number
}

const warmUps = 3

/** Lets everybody in the office wait on both servers, and measures them in turn. */
export async function deliverInTurn({ parley, bare, office, queuesEach, rounds }: Waits) {
  const queues = await openQueues(parley.url, Array.from({ length: queuesEach }, () => office.users).flat())
  const bareClients = await Connection.openMany(bare.url, queues.length)
  const [sender, bareSender] = await Promise.all([Connection.open(parley.url), Connection.open(bare.url)])
  const outcome: { parley: Round[]; bare: Round[] } = { parley: [], bare: [] }
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const polls = queues.map(({ connection, poll }) => connection.request(poll()))
    await allParked(parley.url)
    const { id } = office.channel
    const form = { type: 'channel', to: String(id), topic: topicName(round), content: messageText(round) }
    const send = formatRequest(parley.url, 'POST', '/api/v1/messages', { as: office.owner, form })
    const ours = await timeDelivery(parley.pid, sender, send, polls)
    const replies = await Promise.all(polls)
    replies.forEach((reply, i) => queues[i]?.acknowledge(reply))

    const get = formatRequest(bare.url, 'GET', '/events')
    const barePolls = bareClients.map((connection) => connection.request(get))
    await allParked(bare.url)
    // The bare server hands out what it is sent: the very bytes that Parley's clients were just given.
    const text = replies[0]?.toString() ?? ''
    const post = formatRequest(bare.url, 'POST', '/', { form: { text } })
    const theirs = await timeDelivery(bare.pid, bareSender, post, barePolls)
    if (round < warmUps) continue
    outcome.parley.push(ours)
    outcome.bare.push(theirs)
  }
  return outcome
}

async function timeDelivery(
  pid: number,
  sender: Connection,
  send: string,
  polls: Promise<unknown>[],
): Promise<Round> {
  const computed = cpuMs(pid)
  const begun = performance.now()
  const sent = sender.request(send)
  await Promise.all(polls)
  const ms = performance.now() - begun
  await sent
  return { ms, cpu: cpuMs(pid) - computed }
}

/** No reply tells that a poll waits; once the server answers others promptly again, it has read them all. */
async function allParked(url: string): Promise<void> {
  const connection = await Connection.open(url)
  const request = formatRequest(url, 'GET', '/api/v1/server_settings')
  for (let prompt = 0, tries = 0; prompt < 5 && tries < 100; tries += 1) {
    await sleep(20)
    const begun = performance.now()
    await connection.request(request)
    prompt = performance.now() - begun < 10 ? prompt + 1 : 0
  }
  connection.close()
}

function openQueues(url: string, users: readonly Credentials[]) {
  const form = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' }
  return Promise.all(
    users.map(async (as) => {
      const connection = await Connection.open(url)
      const reply = await connection.request(formatRequest(url, 'POST', '/api/v1/register', { as, form }))
      const registered = JSON.parse(reply.toString()) as { queue_id: string; last_event_id: number }
      let last = registered.last_event_id
      return {
        connection,
        poll: () =>
          formatRequest(url, 'GET', `/api/v1/events?queue_id=${registered.queue_id}&last_event_id=${last}`, {
            as,
          }),
        acknowledge: (reply: Buffer) => {
          const { events } = JSON.parse(reply.toString()) as { events: { id: number; type: string }[] }
          if (events.length !== 1 || events[0]?.type !== 'message')
            throw new Error(`Not one message: ${reply}`)
          last = events[0].id
        },
      }
    }),
  )
}

/** Parks every `GET /events`, and answers them all with what is posted. */
export function bareLongPolls(): Promise<string> {
  let parked: ServerResponse[] = []
  return listen((req, res) => {
    if (req.url === '/events') return void parked.push(res)
    if (req.method === 'GET') return sendJson(res, '{}')
    readBody(req, (body) => {
      const text = new URLSearchParams(body.toString()).get('text') ?? ''
      const waiting = parked
      parked = []
      for (const one of waiting) sendJson(one, text)
      sendJson(res, '{}')
    })
  })
}
