import { createContext, type ReactNode, useContext } from 'react'
import type { Session } from '../api.ts'

const Context = createContext<Session | null>(null)

export function SessionProvider({ value, children }: { value: Session; children: ReactNode }) {
  return <Context value={value}>{children}</Context>
}

export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('used outside of a session')
  return session
}

/** Only the holder of the link may make realms and see all of them. */
export function useIsOperator(): boolean {
  return useSession().kind === 'operator'
}
