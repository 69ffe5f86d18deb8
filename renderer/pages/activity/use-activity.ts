import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from '../../admin/queries.ts'
import { reportLost, whenReachable } from '../../base/connection.ts'
import { type ActivityEvent, type ActivityState, applyActivity } from './activity-state.ts'

const events = ['snapshot', 'queues', 'tail', 'rate'] as const
const REOPEN_AFTER_MS = 2000

export interface Activity {
  /** Undefined until the first snapshot. */
  state: ActivityState | undefined
  /** The stream was refused; it is being asked for again. */
  refused: boolean
}

/** The server's activity stream, of one realm or of all. It comes back by itself when it breaks. */
export function useActivity(realm: string | null): Activity {
  const queries = useQueryClient()
  const [state, setState] = useState<ActivityState>()
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    let source: EventSource
    let timer: ReturnType<typeof setTimeout>
    const open = () => {
      source = new EventSource(
        `/admin/api/activity${realm === null ? '' : `?realm=${encodeURIComponent(realm)}`}`,
      )
      for (const event of events) {
        source.addEventListener(event, (message: MessageEvent<string>) => {
          setRefused(false)
          setState((before) =>
            applyActivity(before, { event, data: JSON.parse(message.data) } as ActivityEvent),
          )
        })
      }
      source.addEventListener('error', onError)
    }
    const onError = () => {
      const { readyState } = source
      source.close()
      // Closed by the browser: the server answered, but with no stream. Otherwise the line broke.
      if (readyState === EventSource.CLOSED) {
        setRefused(true)
        void queries.invalidateQueries({ queryKey: keys.session })
      } else reportLost()
      timer = setTimeout(
        () => void whenReachable(leaving.signal).then(open, () => undefined),
        wait(readyState),
      )
    }
    open()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      source.close()
    }
  }, [realm, queries])
  return { state, refused }
}

function wait(readyState: number): number {
  return readyState === EventSource.CLOSED ? REOPEN_AFTER_MS : 100
}
