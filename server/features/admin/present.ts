/** What the admin page shows of the server and its organizations. */
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { RealmContext, type Server } from '../../context.ts'
import { defaultRealm, type Realm } from '../realms/store.ts'

export const RealmInfo = z.strictObject({
  name: z.string(),
  display_name: z.string(),
  url: z.string(),
  users: z.int(),
  channels: z.int(),
  messages: z.int(),
  created_at: z.int(),
  is_default: z.boolean(),
  is_deactivated: z.boolean(),
})
export type RealmInfo = z.output<typeof RealmInfo>

export function presentRealm(server: Server, realm: Realm): RealmInfo {
  const { db } = new RealmContext(server, realm)
  const [counts] = db.sql<{ users: number; channels: number; messages: number }>(
    `SELECT
       (SELECT COUNT(*) FROM users WHERE realm_id = :realm AND is_active = 1 AND is_system_bot = 0) AS users,
       (SELECT COUNT(*) FROM channels WHERE realm_id = :realm AND is_archived = 0) AS channels,
       (SELECT COUNT(*) FROM messages WHERE realm_id = :realm) AS messages`,
  )
  return {
    name: realm.stringId,
    display_name: realm.name,
    url: `${server.url()}/r/${realm.stringId}`,
    users: counts?.users ?? 0,
    channels: counts?.channels ?? 0,
    messages: counts?.messages ?? 0,
    created_at: realm.dateCreated,
    is_default: defaultRealm(server.database)?.id === realm.id,
    is_deactivated: realm.isDeactivated,
  }
}

/** Addresses at which other machines of the network reach the server; none while it listens to this one only. */
export function lanUrls(server: Server): string[] {
  const { port } = new URL(server.url())
  const { host } = server.config
  if (host !== '0.0.0.0' && host !== '::') return []
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`)
}
