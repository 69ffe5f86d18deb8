/** Which realm a request is for: `/r/REALM` in the path, the first label of its Host, or else the default realm. */
import { isIP } from 'node:net'
import type { Server } from '../context.ts'
import { defaultRealm, type Realm, realmByStringId } from '../features/realms/store.ts'
import { NotFoundError } from './errors.ts'

export interface Address {
  /** The path below the realm's base, repeated slashes folded, always with one in front. */
  path: string
  /** The part of the path that named the realm, such as `/r/demo`; empty where the Host or nothing did. */
  prefix: string
  /** Name of the realm in the path. */
  named: string | undefined
}

export function parseAddress(url: string): Address {
  const path = `/${url.replace(/[?#].*$/s, '')}`.replace(/\/{2,}/g, '/')
  const named = /^\/r\/([^/]+)(?=\/|$)/.exec(path)?.[1]
  if (named === undefined) return { path, prefix: '', named }
  const prefix = `/r/${named}`
  return { path: path.slice(prefix.length) || '/', prefix, named }
}

/** @throws NotFoundError when there is no such realm, or none at all yet */
export function resolveRealm(server: Server, address: Address, host: string | undefined): Realm {
  if (address.named !== undefined) {
    const realm = realmByStringId(server.database, address.named)
    if (!realm) throw new NotFoundError('There is no organization at this address')
    return realm
  }
  const label = firstLabel(host)
  const realm = (label && realmByStringId(server.database, label)) || defaultRealm(server.database)
  if (!realm) throw new NotFoundError('This server has no organization yet')
  return realm
}

/** `chat` of `chat.office.lan:9870`; nothing for an address in numbers or a name of one label. */
function firstLabel(host: string | undefined): string | undefined {
  const name = hostName(host)
  if (name === undefined || isIP(name)) return undefined
  const [label, ...rest] = name.split('.')
  return rest.length > 0 ? label : undefined
}

/** The Host header without its port and brackets, in lower case. */
export function hostName(host: string | undefined): string | undefined {
  return host
    ?.toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}
