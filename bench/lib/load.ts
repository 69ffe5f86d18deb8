/** The load generator: clients that each send their next request when the last one is answered. */
import { Connection } from './connection.ts'
import { type Figure, median, quantile } from './figures.ts'
import { cpuMs } from './proc.ts'
import { inChild } from './processes.ts'

export interface Target {
  pid: number
  url: string
  /** Formatted; the clients take turns through them. */
  requests: string[]
}

export interface Load {
  parley: Target
  bare: Target
  /** How many clients at once: every number is measured for itself. */
  clients: number[]
  seconds: number
  rounds: number
}

export interface Outcome {
  perSecond: number
  p50: number
  p99: number
  /** Microseconds of computing per request: the steadiest figure on a machine that does other things too. */
  cpu: number
}

export interface Compared {
  clients: number
  parley: Outcome
  bare: Outcome
}

/** Loads both servers in turn, from a process of its own. Figures are the medians of the rounds. */
export const compare = (load: Load): Promise<Compared[]> => inChild(import.meta.url, loadInTurn, load)

export async function loadInTurn({ parley, bare, clients, seconds, rounds }: Load): Promise<Compared[]> {
  for (const target of [parley, bare]) await warmUp(target)
  const compared: Compared[] = []
  for (const count of clients) {
    const outcomes: { parley: Outcome[]; bare: Outcome[] } = { parley: [], bare: [] }
    for (let round = 0; round < rounds; round += 1) {
      outcomes.bare.push(await loadOnce(bare, count, seconds))
      outcomes.parley.push(await loadOnce(parley, count, seconds))
    }
    compared.push({ clients: count, parley: middle(outcomes.parley), bare: middle(outcomes.bare) })
  }
  return compared
}

/** What is measured is the compiled code, not the compiler: it takes thousands of requests, not seconds. */
async function warmUp(target: Target): Promise<void> {
  const end = performance.now() + 8000
  for (let done = 0; done < 5000 && performance.now() < end; ) {
    const { perSecond } = await loadOnce(target, 16, 1)
    done += perSecond
  }
}

const middle = (rounds: Outcome[]): Outcome => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: median(rounds.map(({ cpu }) => cpu)),
})

async function loadOnce({ pid, url, requests }: Target, clients: number, seconds: number): Promise<Outcome> {
  const connections = await Connection.openMany(url, clients)
  const latencies: number[] = []
  const computed = cpuMs(pid)
  const begun = performance.now()
  const end = begun + seconds * 1000
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = performance.now(); now < end; ) {
        await connection.request(requests[next++ % requests.length] ?? '')
        const then = now
        now = performance.now()
        latencies.push(now - then)
      }
    }),
  )
  const perSecond = (latencies.length / (performance.now() - begun)) * 1000
  const cpu = ((cpuMs(pid) - computed) / latencies.length) * 1000
  for (const connection of connections) connection.close()
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), cpu }
}

/** @param what the requests are, such as `sends` */
export const loadFigures = (compared: readonly Compared[], what: string): Figure[] =>
  compared.flatMap(({ clients, parley, bare }): Figure[] => [
    { name: `${clients} at once: ${what}`, unit: '/s', parley: parley.perSecond, bare: bare.perSecond },
    { name: `${clients} at once: p50`, unit: 'ms', parley: parley.p50, bare: bare.p50 },
    { name: `${clients} at once: p99`, unit: 'ms', parley: parley.p99, bare: bare.p99 },
    { name: `${clients} at once: computing for each`, unit: 'µs', parley: parley.cpu, bare: bare.cpu },
  ])
