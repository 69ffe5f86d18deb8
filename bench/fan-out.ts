/** How long a message takes to the last of many clients that wait for it. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen, readBody, sendJson } from './lib/bare.ts'
import { Connection, type Credentials, formatRequest } from './lib/connection.ts'
import { type Figure, median } from './lib/figures.ts'
import { furnish, messageText, type Office, startParley, temporaryFolder } from './lib/parley.ts'
import { cpuMs } from './lib/proc.ts'
import { inChild, serveInChild } from './lib/processes.ts'

export const title = 'POST /messages until the last of many waiting GET /events has it; bare: the same bytes'

/** So many clients wait, those of a hundred users: up to fifty each. */
const sizes = [
  { queues: 100, rounds: 25 },
  { queues: 1000, rounds: 25 },
  { queues: 5000, rounds: 5 },
]
/** Rounds are cut short after so long on a slow machine. */
const maxSeconds = 20

export async function measure(): Promise<Figure[]> {
  const parley = await startParley(temporaryFolder())
  const bare = await serveInChild(import.meta.url, bareLongPolls, undefined)
  const office = await furnish(parley, 100)
  const outcomes = await inChild(import.meta.url, deliverInTurn, {
    parley: { pid: parley.pid, url: parley.url },
    bare: { pid: bare.pid, url: bare.result },
    office,
  })
  await Promise.all([parley.stop(), bare.stop()])
  return outcomes.flatMap(figuresOf)
}

function figuresOf({ queues, parley, bare }: Outcome): Figure[] {
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
}

/** Milliseconds until the last client had it, and those that the server computed. */
interface Round {
  ms: number
  cpu: number
}

interface Outcome {
  queues: number
  parley: Round[]
  bare: Round[]
}

const warmUps = 3

/** Lets more and more clients wait on both servers, and measures them in turn. */
export async function deliverInTurn({ parley, bare, office }: Waits): Promise<Outcome[]> {
  const [sender, bareSender] = await Promise.all([Connection.open(parley.url), Connection.open(bare.url)])
  const queues: Queue[] = []
  const bareClients: Connection[] = []
  const outcomes: Outcome[] = []
  for (const size of sizes) {
    queues.push(...(await openQueues(parley.url, office.users, size.queues - queues.length)))
    bareClients.push(...(await Connection.openMany(bare.url, size.queues - bareClients.length)))
    const outcome: Outcome = { queues: size.queues, parley: [], bare: [] }
    const end = performance.now() + maxSeconds * 1000
    for (let round = -warmUps; round < size.rounds && (round < 3 || performance.now() < end); round += 1) {
      const polls = queues.map(({ connection, poll }) => connection.request(poll()))
      await allParked(parley.url)
      const { id } = office.channel
      const form = { type: 'channel', to: String(id), topic: 'fan-out', content: messageText(size.queues) }
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
      if (round < 0) continue
      outcome.parley.push(ours)
      outcome.bare.push(theirs)
    }
    outcomes.push(outcome)
  }
  return outcomes
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

interface Queue {
  connection: Connection
  /** The formatted request of the next poll. */
  poll: () => string
  acknowledge: (reply: Buffer) => void
}

function openQueues(url: string, users: readonly Credentials[], count: number): Promise<Queue[]> {
  const form = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' }
  const open = async (as: Credentials | undefined): Promise<Queue> => {
    const connection = await Connection.open(url)
    const reply = await connection.request(formatRequest(url, 'POST', '/api/v1/register', { as, form }))
    const registered = JSON.parse(reply.toString()) as { queue_id: string; last_event_id: number }
    const path = `/api/v1/events?queue_id=${registered.queue_id}`
    let last = registered.last_event_id
    return {
      connection,
      poll: () => formatRequest(url, 'GET', `${path}&last_event_id=${last}`, { as }),
      acknowledge: (reply) => {
        const { events } = JSON.parse(reply.toString()) as { events: { id: number; type: string }[] }
        const [event, ...more] = events
        if (event?.type !== 'message' || more.length > 0) throw new Error(`Not one message: ${reply}`)
        last = event.id
      },
    }
  }
  return Promise.all(Array.from({ length: count }, (_, i) => open(users[i % users.length])))
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
