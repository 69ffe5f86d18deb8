import type { Realm, ServerInfo } from '../../api.ts'

export interface Address {
  url: string
  /** Where it works from. */
  reach: string
}

const trimmed = (url: string) => url.replace(/\/$/, '')

/** Every address under which clients reach a realm: from this computer first, then from the local network. */
export function realmAddresses(
  realm: Pick<Realm, 'name' | 'url'>,
  server: Pick<ServerInfo, 'url' | 'lan_urls'> | undefined,
): Address[] {
  const lan = (server?.lan_urls ?? []).map((url) => `${trimmed(url)}/r/${realm.name}`)
  const seen = new Set<string>()
  return [
    { url: trimmed(realm.url), reach: reachOf(realm.url) },
    ...lan.map((url) => ({ url, reach: reachOf(url) })),
  ].filter(({ url }) => !seen.has(url) && seen.add(url))
}

export function serverAddresses(server: Pick<ServerInfo, 'url' | 'lan_urls'>): Address[] {
  const urls = [...new Set([server.url, ...server.lan_urls].map(trimmed))]
  return urls.map((url) => ({ url, reach: reachOf(url) }))
}

export function reachOf(url: string): string {
  const { hostname } = new URL(url)
  return isLoopback(hostname) ? 'This computer' : 'Local network'
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.') || /(^|\.)localhost$/.test(hostname)
}
