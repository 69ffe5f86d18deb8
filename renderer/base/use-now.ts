// One clock for all relative times on the page: a single timer, running only while something shows a time.

import { useSyncExternalStore } from 'react'

let now = Date.now() / 1000
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  now = Date.now() / 1000
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function read(): number {
  // While nobody listened the clock stood still.
  if (timer === undefined) now = Math.max(now, Math.floor(Date.now() / 1000))
  return now
}

/** UNIX seconds, renewed once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read)
}
