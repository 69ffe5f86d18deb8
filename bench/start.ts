/** How soon a started server is ready, and how much memory it takes. */
import { formatRequest } from './lib/connection.ts'
import { type Figure, median } from './lib/figures.ts'
import { compare } from './lib/load.ts'
import {
  fillMessages,
  furnish,
  messageText,
  type Office,
  startParley,
  temporaryFolder,
  topicName,
} from './lib/parley.ts'
import { residentMb } from './lib/proc.ts'
import { startNode } from './lib/processes.ts'
import { readsTo } from './reads.ts'

export const title = 'from the start of the process until it is ready, and its resident memory'

const rounds = 3

export async function measure(): Promise<Figure[]> {
  const bare = { ready: [] as number[], memory: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const server = await startBare()
    bare.ready.push(server.readyMs)
    bare.memory.push(residentMb(server.pid))
    await server.stop()
  }
  const ready = median(bare.ready)
  const memory = median(bare.memory)

  const fresh = await startRepeatedly(() => temporaryFolder())
  const figures: Figure[] = [
    { name: 'empty folder: ready', unit: 'ms', parley: fresh.ready, bare: ready },
    { name: 'empty folder: memory', unit: 'MB', parley: fresh.memory, bare: memory },
  ]
  for (const count of [10_000, 100_000]) {
    const folder = temporaryFolder()
    const server = await startParley(folder)
    const office = await furnish(server, 20)
    await server.stop()
    await fillMessages(folder, office, count)
    const filled = await startRepeatedly(() => folder)
    const name = `${count.toLocaleString('en')} messages`
    figures.push(
      { name: `${name}: ready`, unit: 'ms', parley: filled.ready, bare: ready },
      { name: `${name}: memory`, unit: 'MB', parley: filled.memory, bare: memory },
    )
    if (count < 100_000) continue
    const loaded = await memoryAfterLoad(folder, office)
    figures.push({ name: `${name}: memory after load`, unit: 'MB', ...loaded })
  }
  return figures
}

async function startRepeatedly(folder: () => string): Promise<{ ready: number; memory: number }> {
  const ready: number[] = []
  const memory: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const server = await startParley(folder())
    ready.push(server.readyMs)
    memory.push(residentMb(server.pid))
    await server.stop()
  }
  return { ready: median(ready), memory: median(memory) }
}

/** Every second request sends a message, every other reads the newest hundred of a topic. */
async function memoryAfterLoad(folder: string, office: Office): Promise<{ parley: number; bare: number }> {
  const parley = await startParley(folder)
  const bare = await startBare()
  const requestsTo = (url: string) =>
    readsTo(url, office).flatMap((read, i) => {
      const form = {
        type: 'channel',
        to: String(office.channel.id),
        topic: topicName(i),
        content: messageText(i),
      }
      const as = office.users[i % office.users.length]
      return [read, formatRequest(url, 'POST', '/api/v1/messages', { as, form })]
    })
  await compare({
    parley: { pid: parley.pid, url: parley.url, requests: requestsTo(parley.url) },
    bare: { pid: bare.pid, url: bare.line, requests: requestsTo(bare.line) },
    clients: [16],
    seconds: 4,
    rounds: 1,
  })
  const memory = { parley: residentMb(parley.pid), bare: residentMb(bare.pid) }
  await Promise.all([parley.stop(), bare.stop()])
  return memory
}

/** Without anything of ours in the process: the least that a server on Node can take. */
export function startBare() {
  const program = `
    import { createServer } from 'node:http'
    const server = createServer((req, res) => req.resume().on('end', () => res.end('{}')))
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`
  return startNode(['--input-type=module', '--eval', program], 'http://')
}
