import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Connection, connection, onConnectionChange } from './connection.ts'

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, connection)
}

/** Whether the server has been gone for long enough to say so: a blink is not worth a banner. */
export function useConnectionLost(after = 700): boolean {
  const { state } = useConnection()
  const [lost, setLost] = useState(false)
  useEffect(() => {
    if (state === 'online') return setLost(false)
    const timer = setTimeout(() => setLost(true), after)
    return () => clearTimeout(timer)
  }, [state, after])
  return lost
}
