import type { Database } from '../../db/database.ts'
import { builder } from '../../db/kysely.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { systemGroupId } from '../user-groups/store.ts'
import { type GroupSettingValue, realmPermissions, type RealmPermission } from '../user-groups/settings.ts'
import { parseRealmSettings, type RealmSettings, storableSettings } from './settings.ts'

export interface Realm {
  id: number
  /** Its name in addresses, such as `demo`. */
  stringId: string
  /** Its name for people, such as "Demo office". */
  name: string
  /** UNIX seconds. */
  dateCreated: number
  isDeactivated: boolean
  settings: RealmSettings
}

/** Stands in where a request is for the server as a whole. It owns no rows. */
export const noRealm: Realm = {
  id: 0,
  stringId: '',
  name: '',
  dateCreated: 0,
  isDeactivated: false,
  settings: parseRealmSettings('{}'),
}

const parsed = new Map<string, RealmSettings>()

/** Settings parse slowly and change seldom. */
function settingsOf(stored: string): RealmSettings {
  let settings = parsed.get(stored)
  if (!settings) {
    settings = parseRealmSettings(stored)
    if (parsed.size > 1000) parsed.clear()
    parsed.set(stored, settings)
  }
  return settings
}

const toRealm = (row: Row<'realms'>): Realm => ({
  id: row.id,
  stringId: row.string_id,
  name: row.name,
  dateCreated: row.date_created,
  isDeactivated: row.is_deactivated === 1,
  settings: settingsOf(row.settings),
})

/** What was found since the last commit: every request asks for a realm, and many come between two writes. */
const found = new WeakMap<Database, { sequence: number; losses: number; realms: Map<string, Realm> }>()

function findOnce(database: Database, key: string, find: () => Row<'realms'> | undefined): Realm | undefined {
  const read = (): Realm | undefined => {
    const row = find()
    return row && toRealm(row)
  }
  // What a transaction has written may be taken back.
  if (database.inTransaction) return read()
  const { sequence, losses } = database
  let known = found.get(database)
  if (known?.sequence !== sequence || known.losses !== losses) {
    known = { sequence, losses, realms: new Map() }
    found.set(database, known)
  }
  const realm = known.realms.get(key) ?? read()
  // Of names that nobody has there is no end.
  if (realm) known.realms.set(key, realm)
  return realm
}

export const realmByStringId = (database: Database, stringId: string): Realm | undefined =>
  findOnce(database, stringId, () =>
    database.first<Row<'realms'>>('SELECT * FROM realms WHERE string_id = ?', [stringId]),
  )

export function realmById(database: Database, id: number): Realm | undefined {
  const row = database.first<Row<'realms'>>('SELECT * FROM realms WHERE id = ?', [id])
  return row && toRealm(row)
}

/** The organization as it is at this moment, also in a transaction that has changed it. */
export function currentRealm({ server, realm }: { server: { database: Database }; realm: Realm }): Realm {
  const current = realmById(server.database, realm.id)
  if (!current) throw new Error(`Realm ${realm.id} vanished`)
  return current
}

/** The realm that answers at the server's bare address: the first one made of those that are active. */
export const defaultRealm = (database: Database): Realm | undefined =>
  // No organization has an empty name.
  findOnce(database, '', () =>
    database.first<Row<'realms'>>('SELECT * FROM realms ORDER BY is_deactivated, id LIMIT 1'),
  )

export const allRealms = (database: Database): Realm[] =>
  database.all<Row<'realms'>>('SELECT * FROM realms ORDER BY id').map(toRealm)

export function insertRealm(
  database: Database,
  realm: { string_id: string; name: string; date_created: number; settings?: string },
): number {
  const { sql, parameters } = builder.insertInto('realms').values(realm).compile()
  return database.run(sql, parameters as string[]).lastId
}

export function updateRealm(tx: Tx, { name, settings }: Pick<Realm, 'name' | 'settings'>): void {
  tx.runSql('UPDATE realms SET name = ?, settings = ? WHERE id = :realm', [name, storableSettings(settings)])
}

export function setDeactivated(tx: Tx, is_deactivated: 0 | 1): void {
  tx.runSql('UPDATE realms SET is_deactivated = ? WHERE id = :realm', [is_deactivated])
}

/** The value of one permission setting of the realm. */
export const realmPermission = (db: Reader, realm: Realm, name: RealmPermission): GroupSettingValue =>
  realm.settings[name] ?? systemGroupId(db, realmPermissions[name].default_group_name)
