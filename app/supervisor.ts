// Keeps one server running: starts it, starts it again when it dies, drains it when asked. Knows nothing of
// Electron, so that its rules can be tested with a server that is only pretended.
import * as z from 'zod/mini'
import { explainExit, isFinal } from './exit-words.ts'
import type { ServerStatus } from './ipc.ts'

const Ready = z.object({
  url: z.string(),
  adminUrl: z.string(),
  dataDir: z.string(),
  pid: z.int(),
  version: z.string(),
})
export type Ready = z.infer<typeof Ready>

export type ServerProcess = {
  /** Asks for a clean stop: answer what was accepted, write everything, exit 0. */
  requestStop(): void
  /** Ends it now. */
  kill(): void
}

export type ServerProcessEvents = {
  stdoutLine(line: string): void
  stderrLine(line: string): void
  /** Why it is about to end, where it could still say so. */
  lastWords(text: string): void
  exit(code: number): void
}

export type Supervisor = {
  status(): ServerStatus
  /** The address with the token that lets its opener in; only while the server runs. */
  adminUrl(): string | undefined
  start(): void
  /** Resolves once no server is left; after `drainMilliseconds` it is killed. */
  stop(): Promise<void>
  /** Asks for a clean stop without waiting: all that a session's end leaves time for. */
  requestStop(): void
}

export type SupervisorOptions = {
  /** `lastUrl` is where it answered before: a server that comes back should be found where it was. */
  launch(events: ServerProcessEvents, lastUrl: string | undefined): ServerProcess
  onChange(status: ServerStatus): void
  drainMilliseconds?: number
  /** The wait before the nth restart in a row. */
  backoff?(failures: number): number
}

type Running = { server: ServerProcess; stderr: string[]; lastWords?: string; readyAt?: number }

const readyPrefix = 'parley ready '
const longEnoughMilliseconds = 60_000
const stderrLinesKept = 20

/** 1, 2, 4 … 30 seconds. The first is long enough to be read in the window. */
export function waitBeforeRestart(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), 30_000)
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { launch, onChange, drainMilliseconds = 10_000, backoff = waitBeforeRestart } = options
  let status: ServerStatus = { state: 'stopped', restarts: 0 }
  let ready: Ready | undefined
  let lastUrl: string | undefined
  let running: Running | undefined
  let restartTimer: NodeJS.Timeout | undefined
  let failures = 0
  let whenGone: (() => void)[] = []

  function change(next: Partial<ServerStatus> & Pick<ServerStatus, 'state'>) {
    const { url, dataDir, pid, version } = ready ?? {}
    status = { ...next, url, dataDir: dataDir ?? status.dataDir, pid, version, restarts: status.restarts }
    onChange(status)
  }

  function start() {
    if (running) return
    clearTimeout(restartTimer)
    const current: Running = { server: idleServer, stderr: [] }
    running = current
    // Until it runs again, what went wrong before is still what the person wants to know.
    change({ state: 'starting', problem: failures > 0 ? status.problem : undefined })
    // An address that made a start fail is not asked for again.
    const events = listenTo(current)
    current.server = launch(events, failures <= 1 ? lastUrl : undefined)
  }

  function listenTo(current: Running): ServerProcessEvents {
    return {
      stdoutLine(line) {
        if (!line.startsWith(readyPrefix) || status.state !== 'starting') return
        ready = Ready.parse(JSON.parse(line.slice(readyPrefix.length)))
        lastUrl = ready.url
        current.readyAt = Date.now()
        change({ state: 'running' })
      },
      stderrLine(line) {
        current.stderr.push(line)
        if (current.stderr.length > stderrLinesKept) current.stderr.shift()
      },
      lastWords(text) {
        current.lastWords = text
      },
      exit: (code) => settleExit(code, current),
    }
  }

  function settleExit(code: number, gone: Running) {
    const said = gone.lastWords?.split('\n') ?? gone.stderr
    const wasStopping = status.state === 'stopping'
    running = undefined
    ready = undefined
    if (wasStopping || code === 0) {
      failures = 0
      change({ state: 'stopped' })
    } else if (isFinal(code)) {
      change({ state: 'failed', problem: explainExit(code, said) })
    } else {
      const livedLong = gone.readyAt !== undefined && Date.now() - gone.readyAt > longEnoughMilliseconds
      failures = livedLong ? 1 : failures + 1
      status.restarts += 1
      change({ state: 'restarting', problem: explainExit(code, said) })
      restartTimer = setTimeout(start, backoff(failures))
    }
    for (const resolve of whenGone.splice(0)) resolve()
  }

  function requestStop() {
    clearTimeout(restartTimer)
    if (running) {
      if (status.state !== 'stopping') change({ state: 'stopping' })
      running.server.requestStop()
    } else if (status.state === 'restarting') {
      change({ state: 'stopped' })
    }
  }

  async function stop() {
    requestStop()
    if (!running) return
    const { server } = running
    const killTimer = setTimeout(() => server.kill(), drainMilliseconds)
    await new Promise<void>((resolve) => whenGone.push(resolve))
    clearTimeout(killTimer)
  }

  return { status: () => status, adminUrl: () => ready?.adminUrl, start, stop, requestStop }
}

const idleServer: ServerProcess = { requestStop() {}, kill() {} }
