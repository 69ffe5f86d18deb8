import { beforeEach, expect, test, vi } from 'vitest'
import type { ServerStatus } from './ipc.ts'
import { createSupervisor, type ServerProcessEvents, waitBeforeRestart } from './supervisor.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** A supervisor over servers that only pretend; `servers` has each one that was started. */
function supervise() {
  const servers: { events: ServerProcessEvents; lastUrl?: string; asked: number; killed: number }[] = []
  const states: ServerStatus['state'][] = []
  const supervisor = createSupervisor({
    launch(events, lastUrl) {
      const server = { events, lastUrl, asked: 0, killed: 0 }
      servers.push(server)
      return {
        requestStop: () => void server.asked++,
        kill: () => {
          server.killed++
          events.exit(137)
        },
      }
    },
    onChange: ({ state }) => states.push(state),
  })
  const latest = () => servers.at(-1)!
  const beReady = (port = 9870) => {
    const url = `http://127.0.0.1:${port}`
    const ready = { url, adminUrl: `${url}/admin/#token=t`, dataDir: '/data', pid: 7, version: '1.2.3' }
    latest().events.stdoutLine(`parley ready ${JSON.stringify(ready)}`)
  }
  return { supervisor, servers, states, latest, beReady }
}

test('it is running once the server says so, and not before', () => {
  const { supervisor, beReady, states } = supervise()
  supervisor.start()
  expect(supervisor.adminUrl()).toBeUndefined()
  beReady()
  expect(supervisor.status()).toMatchObject({ state: 'running', pid: 7, dataDir: '/data', restarts: 0 })
  expect(supervisor.adminUrl()).toBe('http://127.0.0.1:9870/admin/#token=t')
  expect(states).toEqual(['starting', 'running'])
})

test('a server that dies is started again at its old address, later each time', () => {
  const { supervisor, servers, beReady, latest } = supervise()
  supervisor.start()
  beReady(4711)
  latest().events.stderrLine('TypeError: x is not a function')
  latest().events.exit(1)
  expect(supervisor.status()).toMatchObject({
    state: 'restarting',
    restarts: 1,
    problem: { title: 'The server stopped unexpectedly', detail: 'TypeError: x is not a function' },
  })
  vi.advanceTimersByTime(999)
  expect(servers).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(servers).toHaveLength(2)
  expect(latest().lastUrl).toBe('http://127.0.0.1:4711')
  // What happened is still said while it starts.
  expect(supervisor.status()).toMatchObject({ state: 'starting', problem: { title: expect.any(String) } })
  latest().events.exit(1)
  vi.advanceTimersByTime(1999)
  expect(servers).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(servers).toHaveLength(3)
  expect(latest().lastUrl).toBeUndefined()
})

test('what a server says last is what is said of its end, and not the lines before', () => {
  const { supervisor, latest } = supervise()
  supervisor.start()
  latest().events.stderrLine('a warning')
  latest().events.lastWords('parley: /data is in use by process 12 on desk')
  latest().events.exit(3)
  expect(supervisor.status()).toMatchObject({
    state: 'failed',
    problem: {
      title: 'Another Parley is using this data folder',
      detail: '/data is in use by process 12 on desk',
    },
  })
})

test('the wait grows to half a minute and no further', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(waitBeforeRestart)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
})

test('a server that ran for long starts again as quickly as the first time', () => {
  const { supervisor, servers, beReady, latest } = supervise()
  supervisor.start()
  for (let round = 1; round <= 3; round++) {
    beReady()
    vi.advanceTimersByTime(61_000)
    latest().events.exit(1)
    vi.advanceTimersByTime(1000)
    expect(servers).toHaveLength(round + 1)
  }
})

test('a folder in use or unusable is no reason to try again', () => {
  for (const code of [2, 3, 4]) {
    const { supervisor, servers, latest } = supervise()
    supervisor.start()
    latest().events.exit(code)
    vi.advanceTimersByTime(120_000)
    expect(servers).toHaveLength(1)
    expect(supervisor.status().state).toBe('failed')
    supervisor.start()
    expect(servers).toHaveLength(2)
  }
})

test('stopping asks first and waits for the server to be gone', async () => {
  const { supervisor, beReady, latest, states } = supervise()
  supervisor.start()
  beReady()
  const stopped = vi.fn()
  void supervisor.stop().then(stopped)
  await vi.advanceTimersByTimeAsync(9000)
  expect(latest()).toMatchObject({ asked: 1, killed: 0 })
  expect(stopped).not.toHaveBeenCalled()
  latest().events.exit(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).toHaveBeenCalled()
  expect(latest().killed).toBe(0)
  expect(states).toEqual(['starting', 'running', 'stopping', 'stopped'])
})

test('a server that does not stop is killed in the end, and not started again', async () => {
  const { supervisor, servers, beReady, latest } = supervise()
  supervisor.start()
  beReady()
  const stopping = supervisor.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  await stopping
  expect(latest().killed).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(servers).toHaveLength(1)
  expect(supervisor.status().state).toBe('stopped')
})

test('stopping between two tries ends the tries', async () => {
  const { supervisor, servers, latest } = supervise()
  supervisor.start()
  latest().events.exit(1)
  await supervisor.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(servers).toHaveLength(1)
  expect(supervisor.status().state).toBe('stopped')
})
