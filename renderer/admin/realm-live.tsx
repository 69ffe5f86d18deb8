// One realm, followed live for as long as one of its pages is open.

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { type RealmClient, realmClient } from '../api.ts'
import { follow, type RealmState, realmFeed } from '../live.ts'

export interface LiveRealm {
  realm: string
  client: RealmClient
  /** Undefined until the first snapshot. */
  state: RealmState | undefined
  problem: Error | null
  retry: () => void
}

const Context = createContext<LiveRealm | null>(null)

export function RealmLive({ realm, children }: { realm: string; children: ReactNode }) {
  const [state, setState] = useState<RealmState>()
  const [problem, setProblem] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  const client = realmClient(realm)
  // A new attempt starts over.
  useEffect(() => {
    const leaving = new AbortController()
    void follow(client, realmFeed, { state: setState, problem: setProblem }, leaving.signal)
    return () => leaving.abort()
  }, [client, attempt])
  const retry = () => {
    setProblem(null)
    setAttempt((n) => n + 1)
  }
  return <Context value={{ realm, client, state, problem, retry }}>{children}</Context>
}

export function useRealmLive(): LiveRealm {
  const live = useContext(Context)
  if (!live) throw new Error('used outside of a realm')
  return live
}
