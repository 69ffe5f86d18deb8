// The addresses inside the admin page (hash routes: `/admin/#/realms/demo/users`).

/** The pages of a realm, in the order of the navigation. */
export const realmPages = [
  'users',
  'groups',
  'invitations',
  'channels',
  'emoji',
  'profile-fields',
  'links',
  'settings',
] as const
export type RealmPage = (typeof realmPages)[number]

export const routes = {
  overview: '/',
  activity: '/activity',
  backups: '/backups',
  realmActivity: '/activity/:realm',
  /** A page of a realm, and there perhaps one thing of it. */
  realm: '/realms/:realm/:page/:item?',
} as const

export const paths = {
  overview: () => '/',
  backups: () => '/backups',
  activity: (realm?: string) => (realm ? `/activity/${encodeURIComponent(realm)}` : '/activity'),
  realm: (realm: string, page: RealmPage, item?: number) =>
    `/realms/${encodeURIComponent(realm)}/${page}${item === undefined ? '' : `/${item}`}`,
}

/** The realm that an address speaks of, and where the same page of another realm is. */
export function realmIn(path: string): string | null {
  const match = /^\/(?:realms|activity)\/([^/]+)/.exec(path)
  return match?.[1] ? decodeURIComponent(match[1]) : null
}

export function samePageIn(realm: string, path: string): string {
  if (path.startsWith('/activity')) return paths.activity(realm)
  const page = /^\/realms\/[^/]+\/([^/]+)/.exec(path)?.[1]
  return paths.realm(realm, realmPages.find((name) => name === page) ?? 'users')
}
