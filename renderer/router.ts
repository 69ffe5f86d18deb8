// The addresses inside the admin page (hash routes: `/admin/#/realms/demo/users`).

export type RealmPage = 'users' | 'channels'

export const routes = {
  overview: '/',
  activity: '/activity',
  backups: '/backups',
  realmActivity: '/activity/:realm',
  users: '/realms/:realm/users',
  channels: '/realms/:realm/channels',
} as const

export const paths = {
  overview: () => '/',
  backups: () => '/backups',
  activity: (realm?: string) => (realm ? `/activity/${encodeURIComponent(realm)}` : '/activity'),
  realm: (realm: string, page: RealmPage) => `/realms/${encodeURIComponent(realm)}/${page}`,
}

/** The realm that an address speaks of, and where the same page of another realm is. */
export function realmIn(path: string): string | null {
  const match = /^\/(?:realms|activity)\/([^/]+)/.exec(path)
  return match?.[1] ? decodeURIComponent(match[1]) : null
}

export function samePageIn(realm: string, path: string): string {
  if (path.startsWith('/activity')) return paths.activity(realm)
  return paths.realm(realm, /^\/realms\/[^/]+\/channels/.test(path) ? 'channels' : 'users')
}
