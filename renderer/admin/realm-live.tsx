// One realm, followed live for as long as one of its pages is open.

import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type RealmClient, realmClient } from '../api.ts'
import { keys } from './queries.ts'
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
  useFreshCounts(state)
  const retry = () => {
    setProblem(null)
    setAttempt((n) => n + 1)
  }
  return <Context value={{ realm, client, state, problem, retry }}>{children}</Context>
}

/** The counts in the navigation come with the list of realms; here we know sooner that they changed. */
function useFreshCounts(state: RealmState | undefined): void {
  const queries = useQueryClient()
  const users = state && [...state.users.values()].filter((user) => user.is_active).length
  const channels = state && [...state.channels.values()].filter((channel) => !channel.is_archived).length
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (users === undefined) return
    const counts = `${users} ${channels}`
    if (before.current !== undefined && before.current !== counts)
      void queries.invalidateQueries({ queryKey: keys.realms })
    before.current = counts
  }, [queries, users, channels])
}

export function useRealmLive(): LiveRealm {
  const live = useContext(Context)
  if (!live) throw new Error('used outside of a realm')
  return live
}
