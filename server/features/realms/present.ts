/** Settings of an organization as clients see them. */
import { z } from 'zod'
import type { Server } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { GroupSetting, presentValue } from '../user-groups/setting-param.ts'
import { type RealmPermission, realmPermissionNames } from '../user-groups/settings.ts'
import { type AuthenticationMethod, channelSettings, type RealmSettings, realmSettings } from './settings.ts'
import { type Realm, realmPermission } from './store.ts'

type Unwrapped = { [Name in keyof typeof realmSettings]: ReturnType<(typeof realmSettings)[Name]['unwrap']> }
type PerChannelSetting = Record<(typeof channelSettings)[number], z.ZodInt>

const unwrapped = Object.fromEntries(
  Object.entries(realmSettings).map(([name, schema]) => [name, schema.unwrap()]),
) as Unwrapped

const AuthenticationMethods = z.record(
  z.string(),
  z.strictObject({ enabled: z.boolean(), available: z.boolean(), unavailable_reason: z.string().optional() }),
)

/** All settings, named as in the register response without `realm_`. */
export const RealmFields = z.strictObject({
  ...unwrapped,
  ...(Object.fromEntries(channelSettings.map((name) => [name, z.int()])) as PerChannelSetting),
  ...(Object.fromEntries(realmPermissionNames.map((name) => [name, GroupSetting])) as Record<
    RealmPermission,
    typeof GroupSetting
  >),
  authentication_methods: AuthenticationMethods,
  name: z.string(),
})
export type RealmFields = z.output<typeof RealmFields>

export function presentRealmFields(server: Server, db: Reader, realm: Realm): RealmFields {
  const { settings } = realm
  const channels = channelSettings.map((name) => [name, settings[name] ?? -1])
  const permissions = realmPermissionNames.map((name) => [
    name,
    presentValue(db, realmPermission(db, realm, name)),
  ])
  return {
    ...settings,
    ...(Object.fromEntries(channels) as Record<(typeof channelSettings)[number], number>),
    ...(Object.fromEntries(permissions) as Pick<RealmFields, RealmPermission>),
    authentication_methods: presentMethods(server, settings),
    name: realm.name,
  }
}

/** Ways to sign in that this server has at all, and why it has not the others. */
const unavailable = (server: Server): Record<AuthenticationMethod, string | null> => ({
  Email: null,
  Dev: server.config.dev ? null : 'This is not a development server.',
})

function presentMethods(server: Server, settings: RealmSettings): RealmFields['authentication_methods'] {
  const methods = Object.entries(unavailable(server)).map(([name, reason]) => {
    const wanted = settings.authentication_methods[name as AuthenticationMethod]
    return [
      name,
      reason === null
        ? { enabled: wanted, available: true }
        : { enabled: false, available: false, unavailable_reason: reason },
    ]
  })
  return Object.fromEntries(methods) as RealmFields['authentication_methods']
}

/** Whether users may sign in that way. */
export const isMethodEnabled = (
  server: Server,
  settings: RealmSettings,
  method: AuthenticationMethod,
): boolean => settings.authentication_methods[method] && unavailable(server)[method] === null
