// How one signed in on this computer last time, and to which realm. Never a password or a token.

import type { Session } from '../../api.ts'

const KEPT_AS = 'parley-sign-in'

export function keptWay(): Session['kind'] {
  return localStorage.getItem(KEPT_AS) ? 'administrator' : 'operator'
}

export function keptRealm(): string {
  return localStorage.getItem(KEPT_AS) ?? ''
}

export function keepWay(session: Session): void {
  if (session.kind === 'administrator' && session.realm) localStorage.setItem(KEPT_AS, session.realm)
  else localStorage.removeItem(KEPT_AS)
}
