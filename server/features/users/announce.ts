/** Who hears of users, and of what of theirs. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import type { EventOf } from '../../events/union.ts'
import { accessibleUserIds, idsWhoMayAccess, idsWhoMayNotAccess, limitedViewerIds } from './access.ts'
import { asUnknown, avatarUrl, presentUser } from './present.ts'
import { allUsers, profileDataByUser, userById, usersByIds } from './store.ts'
import { presenceEvent, showsPresence } from '../presence/present.ts'
import { presentStatus } from '../user-status/present.ts'
import { statusOf } from '../user-status/store.ts'
import { apiEmail, deliveryEmailFor, hasOpenEmail, maySeeEmail } from './visibility.ts'

type User = Row<'users'>
export type PersonUpdate = Extract<EventOf<'realm_user'>, { op: 'update' }>['person']

/** Tells everybody who may know of a user what changed about them. */
export function tellOfPerson(ctx: RealmContext, tx: Tx, user: User, person: PersonUpdate): void {
  tellPerson(tx, person, idsWhoMayAccess(ctx, tx, user))
}

function tellPerson(tx: Tx, person: PersonUpdate, to: readonly number[]): void {
  if (to.length > 0) tx.emit({ type: 'realm_user', op: 'update', person }, { to })
}

/** Tells of a new account. Clients that expect to know every id are told of one they may not know as such. */
export function tellOfNewUser(ctx: RealmContext, tx: Tx, user: User, realmUrl: string): void {
  const to = idsWhoMayAccess(ctx, tx, user).filter((id) => id !== user.id)
  tellAdded(ctx, tx, user, to, realmUrl)
  tellUnknown(ctx, tx, user, [...idsWhoMayNotAccess(ctx, tx, user)], realmUrl)
}

/** Each sees the address or does not. */
function tellAdded(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  to: readonly number[],
  realmUrl = ctx.realmUrl,
): void {
  const viewers = usersByIds(tx, to)
  const profile = user.is_bot ? undefined : (profileDataByUser(tx, [user.id]).get(user.id) ?? {})
  for (const group of [
    viewers.filter((viewer) => maySeeEmail(viewer, user)),
    viewers.filter((viewer) => !maySeeEmail(viewer, user)),
  ]) {
    const [viewer] = group
    if (!viewer) continue
    const person = presentUser(user, { realm: ctx.realm, viewer, realmUrl, extAvatar: false }, profile)
    tx.emit({ type: 'realm_user', op: 'add', person }, { to: group.map(({ id }) => id) })
  }
}

function tellUnknown(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  to: readonly number[],
  realmUrl = ctx.realmUrl,
): void {
  if (to.length === 0) return
  const viewing = { realm: ctx.realm, viewer: null, realmUrl, extAvatar: false }
  const person = presentUser(asUnknown(ctx.realm, user), viewing, {})
  tx.emit({ type: 'realm_user', op: 'add', person }, { to, only: { user_list_incomplete: false } })
}

/**
 * Call before users are brought together or apart, or change role, or the organization changes what guests see.
 * @param ids of those whose view of others may change; only guests with a limited view can be affected
 * @returns what to call after the change and before other events of it, with the organization as it is then: tells
 *   them whom they see and no longer see
 */
export function watchAccess(
  ctx: RealmContext,
  tx: Tx,
  ids: readonly number[],
): (changed?: RealmContext) => void {
  const before = viewsOf(ctx, tx, ids)
  return (changed = ctx) => {
    const after = viewsOf(changed, tx, ids)
    const viewers = [...new Set([...before.keys(), ...after.keys()])]
    if (viewers.length === 0) return
    for (const user of allUsers(tx)) {
      const saw = (id: number) => before.get(id)?.has(user.id) ?? true
      const sees = (id: number) => after.get(id)?.has(user.id) ?? true
      tellOfGained(
        changed,
        tx,
        user,
        viewers.filter((id) => sees(id) && !saw(id)),
      )
      tellOfLost(
        changed,
        tx,
        user,
        viewers.filter((id) => saw(id) && !sees(id)),
      )
    }
  }
}

/** By viewer, the ids of those whom they see: of viewers with a limited view only, for the others see everybody. */
function viewsOf(ctx: RealmContext, tx: Tx, ids: readonly number[]): Map<number, ReadonlySet<number> | null> {
  const limited = new Set(limitedViewerIds(ctx, tx))
  const among =
    limited.size > 0
      ? usersByIds(
          tx,
          [...new Set(ids)].filter((id) => limited.has(id)),
        )
      : []
  return new Map(among.map((user) => [user.id, accessibleUserIds(ctx, tx, user)]))
}

function tellOfGained(ctx: RealmContext, tx: Tx, user: User, to: readonly number[]): void {
  if (to.length === 0) return
  tellAdded(ctx, tx, user, to)
  tellOfWhereabouts(ctx, tx, user, to)
}

function tellOfLost(ctx: RealmContext, tx: Tx, user: User, to: readonly number[]): void {
  if (to.length === 0) return
  const person = { user_id: user.id, full_name: 'Unknown user' }
  tx.emit({ type: 'realm_user', op: 'remove', person }, { to })
  tellUnknown(ctx, tx, user, to)
}

/** Tells those to whom a user has come in sight, or is active again, what the user said of themselves, and when. */
export function tellOfWhereabouts(ctx: RealmContext, tx: Tx, user: User, to: readonly number[]): void {
  if (to.length === 0 || !user.is_active) return
  const status = presentStatus(user, statusOf(tx, user.id))
  if (Object.keys(status).length > 0) tx.emit({ type: 'user_status', user_id: user.id, ...status }, { to })
  const presence = ctx.server.presence.of(ctx.realm.id).get(user.id)
  if (presence && showsPresence(ctx, user)) tx.emit(presenceEvent(ctx, user, presence), { to })
}

/** Tells of another address, or of another choice of who sees it. @param before the user as they were */
export function tellOfEmail(ctx: RealmContext, tx: Tx, before: User, user: User): void {
  const viewers = usersByIds(tx, idsWhoMayAccess(ctx, tx, user))
  const idsTold = (address: string | null) =>
    viewers
      .filter((viewer) => {
        const sees = deliveryEmailFor(viewer, user)
        return sees === address && sees !== deliveryEmailFor(viewer, before)
      })
      .map(({ id }) => id)
  const losers = idsTold(null)
  tellPerson(tx, { user_id: user.id, delivery_email: user.delivery_email }, idsTold(user.delivery_email))
  tellPerson(tx, { user_id: user.id, delivery_email: null }, losers)
  // Who computed the picture from the address no longer can.
  if (user.avatar_source === 'G') tellPerson(tx, pictureOf(ctx, user), losers)
  const new_email = apiEmail(ctx.realm, user)
  if (new_email !== apiEmail(ctx.realm, before)) {
    tellPerson(
      tx,
      { user_id: user.id, new_email },
      viewers.map(({ id }) => id),
    )
  }
}

/** The avatar form of the `realm_user` event. */
export const pictureOf = (ctx: RealmContext, user: User): PersonUpdate => ({
  user_id: user.id,
  avatar_source: user.avatar_source,
  avatar_url: avatarUrl(user, ctx.realmUrl),
  avatar_url_medium: avatarUrl(user, ctx.realmUrl, '/medium'),
  avatar_version: user.avatar_version,
})

/** Tells somebody whose role changed which addresses they see now and see no longer. */
export function tellOfVisibleEmails(ctx: RealmContext, tx: Tx, before: User, viewer: User): void {
  const accessible = accessibleUserIds(ctx, tx, viewer)
  for (const user of allUsers(tx)) {
    if (hasOpenEmail(user) || accessible?.has(user.id) === false) continue
    const delivery_email = deliveryEmailFor(viewer, user)
    if (delivery_email === deliveryEmailFor(before, user)) continue
    tellPerson(tx, { user_id: user.id, delivery_email }, [viewer.id])
  }
}

/** The row as it is now. */
export function currentUser(db: Reader, id: number): User {
  const user = userById(db, id)
  if (!user) throw new Error(`User ${id} vanished`)
  return user
}
