/** Users as they are fetched, together with whether the one who asks may. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { realmPermission } from '../realms/store.ts'
import { holds, holdersOf } from '../user-groups/access.ts'
import { systemGroupId } from '../user-groups/store.ts'
import { isAdministrator, isGuest, isOwner, Role } from './roles.ts'
import {
  activePeople,
  allUsers,
  activeUserIds,
  emailKey,
  type Person,
  userByEmailKey,
  userById,
  systemBots,
} from './store.ts'
import { idInDummyEmail, maySeeEmail, type Viewer } from './visibility.ts'

export type User = Row<'users'>
/** The user who makes the request. */
export type Me = User

/** By the real address, whoever may see it: for signing in, and to find out whether it is taken. */
export const userByRealEmail = (db: Reader, email: string): User | undefined =>
  userByEmailKey(db, emailKey(email))

/** By the address a user signs requests with: the real one, or the one that stands for it. */
export function userByEmail(db: Reader, email: string): User | undefined {
  const id = idInDummyEmail(email)
  return (id === undefined ? undefined : userById(db, id)) ?? userByRealEmail(db, email)
}

/** By an address that `viewer` gives: the real one counts only where they may see it. */
export function userByVisibleEmail(db: Reader, viewer: Viewer, email: string): User | undefined {
  const id = idInDummyEmail(email)
  if (id !== undefined) return userById(db, id)
  const user = userByRealEmail(db, email)
  return user && maySeeEmail(viewer, user) ? user : undefined
}

/** Whether everybody may know of everybody, as in most organizations: then there is nothing to work out. */
function isOpen(ctx: RealmContext, db: Reader): boolean {
  const value = ctx.realm.settings.can_access_all_users_group
  return value === undefined || value === systemGroupId(db, 'role:everyone')
}

/** Whether this user sees only some of the others: guests, where the organization says so. */
export function hasLimitedView(ctx: RealmContext, db: Reader, viewer: Person): boolean {
  if (!isGuest(viewer) || isOpen(ctx, db)) return false
  const value = realmPermission(db, ctx.realm, 'can_access_all_users_group')
  return !holds(db, ctx.realm, value, viewer, ctx.server.now() / 1000)
}

/** Ids of those with whom a user shares a channel or a direct conversation, deactivated ones too. */
const idsSharing = (db: Reader, userId: number): number[] =>
  db
    .sql<{ user_id: number }>(
      `SELECT o.user_id FROM subscriptions m JOIN subscriptions o ON o.channel_id = m.channel_id AND o.is_active = 1
        WHERE m.user_id = ? AND m.is_active = 1 AND +m.realm_id = :realm
       UNION
       SELECT o.user_id FROM spans m
         JOIN conversations c ON c.id = m.conversation_id AND c.channel_id IS NULL
         JOIN spans o ON o.conversation_id = c.id
        WHERE m.user_id = ?`,
      [userId, userId],
    )
    .map((row) => row.user_id)

/** Ids of the users that `viewer` may know of; null: everybody. Bots are known to all. */
export function accessibleUserIds(ctx: RealmContext, db: Reader, viewer: Person): ReadonlySet<number> | null {
  if (!hasLimitedView(ctx, db, viewer)) return null
  const bots = [...allUsers(db), ...systemBots(db)].filter((user) => user.is_bot)
  return new Set([viewer.id, ...bots.map(({ id }) => id), ...idsSharing(db, viewer.id)])
}

export function mayAccess(ctx: RealmContext, db: Reader, viewer: Person, user: Person): boolean {
  return user.is_bot === 1 || (accessibleUserIds(ctx, db, viewer)?.has(user.id) ?? true)
}

/** Ids of the active users whose view of others is limited; usually none. */
export function limitedViewerIds(ctx: RealmContext, db: Reader): number[] {
  if (isOpen(ctx, db)) return []
  const value = realmPermission(db, ctx.realm, 'can_access_all_users_group')
  const guests = activePeople(db).filter(isGuest)
  if (guests.length === 0) return []
  const open = holdersOf(db, ctx.realm, value, guests, ctx.server.now() / 1000)
  return guests.filter(({ id }) => !open.has(id)).map(({ id }) => id)
}

/**
 * Ids of the active users who may know of a user: whom to tell of anything about that user.
 * @returns the user too, while active
 */
export function idsWhoMayAccess(ctx: RealmContext, db: Reader, user: Person): number[] {
  const ids = activeUserIds(db)
  const closed = idsWhoMayNotAccess(ctx, db, user)
  return closed.size === 0 ? ids : ids.filter((id) => !closed.has(id))
}

/** Ids of the active users to whom a user is nobody they know; usually none. */
export function idsWhoMayNotAccess(ctx: RealmContext, db: Reader, user: Person): ReadonlySet<number> {
  const limited = user.is_bot ? [] : limitedViewerIds(ctx, db)
  if (limited.length === 0) return new Set()
  const sharing = new Set([user.id, ...idsSharing(db, user.id)])
  return new Set(limited.filter((id) => !sharing.has(id)))
}

/** A user whom `me` asks about by id. @throws BadRequestError */
export function userToSee(ctx: RealmContext, db: Reader, me: Me, id: number): User {
  return seen(ctx, db, me, userById(db, id))
}

/** A user whom `me` asks about by address. @throws BadRequestError */
export function userToSeeByEmail(ctx: RealmContext, db: Reader, me: Me, email: string): User {
  return seen(ctx, db, me, userByEmailInPath(ctx, db, me, email))
}

/**
 * By the address that a path names: {@link userByVisibleEmail}, where the dummy address may also have the host by which
 * the request came (specification, "GET /users/{email}"), unless that is somebody's real one.
 */
function userByEmailInPath(ctx: RealmContext, db: Reader, me: Me, email: string): User | undefined {
  const { host, hostname } = new URL(ctx.realmUrl)
  const [, id, given] = /^user(\d+)@(.+)$/i.exec(email.trim()) ?? []
  const isDummy = [host, hostname].some((name) => name.toLowerCase() === given?.toLowerCase())
  return isDummy && !userByRealEmail(db, email) ? userById(db, Number(id)) : userByVisibleEmail(db, me, email)
}

function seen(ctx: RealmContext, db: Reader, me: Me, user: User | undefined): User {
  if (!user) throw new BadRequestError('No such user')
  if (!mayAccess(ctx, db, me, user)) throw new BadRequestError('Insufficient permission')
  return user
}

/** A user whom an administrator is about to change. @throws BadRequestError */
export function userToAdminister(db: Reader, me: Me, id: number): User {
  assertAdministrator(me)
  return administered(me, userById(db, id))
}

/** {@link userToAdminister} by an address, real or not. @throws BadRequestError */
export function userToAdministerByEmail(ctx: RealmContext, db: Reader, me: Me, email: string): User {
  assertAdministrator(me)
  return administered(me, userByEmailInPath(ctx, db, me, email))
}

function administered(me: Me, user: User | undefined): User {
  if (!user || user.is_system_bot) throw new BadRequestError('No such user')
  if (isOwner(user) && !isOwner(me)) throw new BadRequestError('Must be an organization owner')
  return user
}

export function assertAdministrator(me: Me): void {
  if (!isAdministrator(me)) throw new BadRequestError('Must be an organization administrator')
}

/** @throws BadRequestError for a bot, where only people may act */
export function assertHuman(me: Me): void {
  if (me.is_bot) throw new BadRequestError('This endpoint does not accept bot requests.')
}

export function assertOwner(me: Me): void {
  if (!isOwner(me)) throw new BadRequestError('Must be an organization owner')
}

/** Creating users takes an administrator who was also granted it (specification, "POST /users"). */
export function assertMayCreateUsers(me: Me): void {
  assertAdministrator(me)
  if (!me.can_create_users) throw new BadRequestError('User not authorized to create users')
}

/** Changing an address takes an owner who was also granted it (specification, "PATCH /users/{email}"). */
export function assertMayChangeEmails(me: Me): void {
  if (!isOwner(me)) throw new BadRequestError('Must be an organization owner')
  if (!me.can_change_user_emails) throw new BadRequestError('User not authorized to change user emails')
}

/** @throws BadRequestError when `me` may not give `user` this role */
export function assertMayChangeRole(db: Reader, me: Me, user: User, role: number): void {
  if (role === Role.owner && !isOwner(me)) throw new BadRequestError('Must be an organization owner')
  if (user.role === Role.guest && role <= Role.administrator) {
    throw new BadRequestError('A guest cannot be made an administrator')
  }
  if (isOwner(user) && role !== Role.owner && isOnlyOwner(db, user)) {
    throw new BadRequestError('The owner permission cannot be removed from the only organization owner.')
  }
}

/** Whether the organization would be without an owner if this user stopped being one. */
export function isOnlyOwner(db: Reader, user: User): boolean {
  if (!isOwner(user)) return false
  return !activePeople(db).some((other) => isOwner(other) && !other.is_bot && other.id !== user.id)
}
