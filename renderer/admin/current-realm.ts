// Which realm the navigation speaks of: the address says so, else the one last looked at, else the default one.

import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Realm } from '../api.ts'
import { realmIn } from '../router.ts'
import { useRealms } from './queries.ts'

const KEPT_AS = 'parley-realm'

export function useCurrentRealm(): Realm | undefined {
  const [location] = useLocation()
  const { data: realms } = useRealms()
  const named = realmIn(location)
  const realm = chooseRealm(realms ?? [], named, localStorage.getItem(KEPT_AS))
  useEffect(() => {
    if (realm && realm.name === named) localStorage.setItem(KEPT_AS, realm.name)
  }, [realm, named])
  return realm
}

export function chooseRealm(realms: Realm[], named: string | null, kept: string | null): Realm | undefined {
  const by = (name: string | null) => realms.find((realm) => realm.name === name)
  if (named !== null) return by(named)
  return by(kept) ?? realms.find((realm) => realm.is_default) ?? realms[0]
}
