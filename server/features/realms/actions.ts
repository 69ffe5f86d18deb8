/** What changes about organizations. */
import { RealmContext, type Server, transactIn } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { createUser } from '../users/actions.ts'
import { watchAccess } from '../users/announce.ts'
import { isGuest, Role } from '../users/roles.ts'
import { activePeople, activeUserIds, updateUser, userById } from '../users/store.ts'
import { insertSystemGroups } from '../user-groups/store.ts'
import { announceWaitingPeriod } from '../user-groups/actions.ts'
import { isSingle } from './events.ts'
import { presentRealmFields, type RealmFields } from './present.ts'
import type { RealmSettings } from './settings.ts'
import {
  currentRealm,
  insertRealm,
  type Realm,
  realmById,
  realmByStringId,
  setDeactivated,
  updateRealm,
} from './store.ts'

export interface NewRealm {
  stringId: string
  name: string
  owner: { email: string; full_name: string; password_hash: string | null }
  /** UNIX seconds; now when left out. */
  dateCreated?: number
  settings?: Partial<RealmSettings>
}

/** Words that addresses of the server begin with, or that would mislead. */
const reserved = new Set(['admin', 'api', 'avatar', 'r', 'static', 'www', 'localhost', 'user_uploads'])

/**
 * Makes an organization with its groups, its notification bot and its owner, who may create users.
 * @param furnish puts more into it, in the same transaction
 * @throws BadRequestError when the name is taken
 */
export function createRealm(
  server: Server,
  fields: NewRealm,
  furnish?: (ctx: RealmContext, tx: Tx, owner: Row<'users'>) => void,
): { realm: Realm; owner: Row<'users'> } {
  const { stringId, name, owner, dateCreated, settings = {} } = fields
  if (reserved.has(stringId)) throw new BadRequestError(`An organization cannot be called '${stringId}'`)
  if (realmByStringId(server.database, stringId)) throw new BadRequestError(`The name '${stringId}' is taken`)
  const insert = () => {
    const date_created = dateCreated ?? Math.floor(server.now() / 1000)
    return insertRealm(server.database, {
      string_id: stringId,
      name,
      date_created,
      settings: JSON.stringify(settings),
    })
  }
  return transactIn(server, insert, (tx) => {
    const realm = realmById(server.database, tx.realmId)
    if (!realm) throw new Error(`Realm ${stringId} vanished`)
    const ctx = new RealmContext(server, realm)
    // Only events name it, and nobody listens to a realm that is being made.
    const realmUrl = `/r/${stringId}`
    insertSystemGroups(tx)
    const bot = { type: 1, owner_id: null, system: true }
    const date_joined = realm.dateCreated
    const botEmail = `notification-bot@${stringId}.local`
    createUser(
      ctx,
      tx,
      { email: botEmail, full_name: 'Notification Bot', password_hash: null, bot, date_joined },
      realmUrl,
    )
    const { id } = createUser(ctx, tx, { ...owner, role: Role.owner, date_joined }, realmUrl)
    updateUser(tx, id, { can_create_users: 1 })
    const made = userById(tx, id)
    if (!made) throw new Error(`Owner of ${stringId} vanished`)
    furnish?.(ctx, tx, made)
    return { realm, owner: made }
  })
}

/** What of an organization changes: stored values, each under the name of its setting. */
export type RealmChanges = Partial<RealmSettings> & { name?: string }

/**
 * Changes settings and tells everybody in the organization what is different now.
 * @returns that, as clients see it
 */
export function changeRealm(ctx: RealmContext, tx: Tx, changes: RealmChanges): Partial<RealmFields> {
  const before = currentRealm(ctx)
  const { name = before.name, ...settings } = changes
  const affected = changes.can_access_all_users_group === undefined ? [] : activePeople(tx).filter(isGuest)
  const tellOfAccess = watchAccess(
    ctx,
    tx,
    affected.map(({ id }) => id),
  )
  updateRealm(tx, { name, settings: { ...before.settings, ...settings } })
  const [old, fresh] = [before, currentRealm(ctx)].map((realm) => presentRealmFields(ctx.server, tx, realm))
  const changed = Object.entries(fresh ?? {}).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old?.[field as keyof RealmFields]),
  )
  tellOfSettings(tx, changed)
  const after = currentRealm(ctx)
  tellOfAccess(new RealmContext(ctx.server, after))
  if (before.settings.waiting_period_threshold !== after.settings.waiting_period_threshold) {
    announceWaitingPeriod(ctx, tx, before, after)
  }
  return Object.fromEntries(changed) as Partial<RealmFields>
}

/** Closes the organization: nobody gets in any more, and all queues end, once those who listen have heard of it. */
export function deactivateRealm(ctx: RealmContext, tx: Tx): void {
  const { hub, database } = ctx.server
  const realm_id = ctx.realm.id
  setDeactivated(tx, 1)
  tx.emit({ type: 'realm', op: 'deactivated', realm_id }, { to: activeUserIds(tx) })
  tx.afterwards(() => {
    const told = () => void setImmediate(() => hub.removeAllOfRealm(realm_id))
    database.durable().then(told, () => {})
  })
}

export function reactivateRealm(tx: Tx): void {
  setDeactivated(tx, 0)
}

function tellOfSettings(tx: Tx, changed: [string, unknown][]): void {
  const to = activeUserIds(tx)
  const together = changed.filter(([name]) => !isSingle(name))
  if (together.length > 0) {
    tx.emit(
      { type: 'realm', op: 'update_dict', property: 'default', data: Object.fromEntries(together) },
      { to },
    )
  }
  for (const [property, value] of changed) {
    if (isSingle(property)) {
      tx.emit({ type: 'realm', op: 'update', property, value: value as boolean | number }, { to })
    }
  }
}
