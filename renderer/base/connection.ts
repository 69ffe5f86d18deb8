// Whether the server answers: every request reports here, and while it does not answer this asks on its own.

export interface Connection {
  state: 'online' | 'lost'
  since: number
}

const PING_EVERY_MS = 1500
const PING_PATH = '/admin/api/session'

let current: Connection = { state: 'online', since: Date.now() }
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function connection(): Connection {
  return current
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportReachable(): void {
  clearTimeout(timer)
  timer = undefined
  become('online')
}

export function reportLost(): void {
  become('lost')
  timer ??= setTimeout(() => void ping(), 300)
}

/** Resolves when the server answers again; rejects when `signal` aborts first. */
export function whenReachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      if (current.state === 'lost' && !signal.aborted) return
      stop()
      signal.removeEventListener('abort', settle)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const stop = onConnectionChange(settle)
    signal.addEventListener('abort', settle)
    settle()
  })
}

function become(state: Connection['state']): void {
  if (current.state === state) return
  current = { state, since: Date.now() }
  for (const listener of [...listeners]) listener()
}

async function ping(): Promise<void> {
  try {
    // Any answer of the server itself will do, a 401 too; a proxy's 502 in development is not one.
    const response = await fetch(PING_PATH, { cache: 'no-store', signal: AbortSignal.timeout(5000) })
    if (response.status < 502) return reportReachable()
  } catch {
    // still gone
  }
  timer = setTimeout(() => void ping(), PING_EVERY_MS)
}
