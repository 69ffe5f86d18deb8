/** The permission engine: who holds a group-setting value. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { type Realm, realmPermission } from '../realms/store.ts'
import type { Me } from '../users/access.ts'
import { isGuest, Role } from '../users/roles.ts'
import { type Person, usersByIds } from '../users/store.ts'
import { addedMemberIds, directGroupIds, type Group, groupById, groupPermission, reachOf } from './store.ts'
import {
  type GroupPermission,
  groupPermissions,
  type GroupSettingValue,
  type PermissionSetting,
  type RealmPermission,
  realmPermissions,
  type SystemGroupName,
} from './settings.ts'

/**
 * Whether a user holds a permission: named directly, or a member of the group or of any group nested in it.
 * @param now UNIX seconds, for the waiting period of full members
 */
export function holds(
  db: Reader,
  realm: Realm,
  value: GroupSettingValue,
  user: Person,
  now: number,
): boolean {
  if (typeof value === 'number') return isInGroup(db, realm, value, user, now)
  return (
    value.direct_members.includes(user.id) ||
    value.direct_subgroups.some((id) => isInGroup(db, realm, id, user, now))
  )
}

/** {@link holds}, but guests hold only what may be given to everyone (`allow_everyone_group`). */
export const holdsSetting = (
  db: Reader,
  realm: Realm,
  setting: PermissionSetting,
  value: GroupSettingValue,
  user: Person,
  now: number,
): boolean => (setting.allow_everyone_group || !isGuest(user)) && holds(db, realm, value, user, now)

/** Whether a user is a member of a group, through whichever nested one. */
export function isInGroup(db: Reader, realm: Realm, groupId: number, user: Person, now: number): boolean {
  const { ids, system } = reachOf(db, groupId)
  return (
    system.some((name) => isInSystemGroup(name, realm, user, now)) ||
    (ids.size > system.length && directGroupIds(db, user.id).some((id) => ids.has(id)))
  )
}

/** System groups have no rows for their members: the role says it. */
export function isInSystemGroup(name: SystemGroupName, realm: Realm, user: Person, now: number): boolean {
  switch (name) {
    case 'role:internet':
    case 'role:everyone':
      return true
    case 'role:members':
      return user.role <= Role.member
    case 'role:fullmembers':
      return (
        user.role <= Role.moderator || (user.role === Role.member && isPastWaitingPeriod(realm, user, now))
      )
    case 'role:moderators':
      return user.role <= Role.moderator
    case 'role:administrators':
      return user.role <= Role.administrator
    case 'role:owners':
      return user.role === Role.owner
    case 'role:nobody':
      return false
  }
}

const isPastWaitingPeriod = (realm: Realm, user: Person, now: number): boolean =>
  now - user.date_joined >= realm.settings.waiting_period_threshold * 86_400

/** The system groups a user is directly in; the wider ones follow by nesting. */
export function directSystemGroups(realm: Realm, user: Person, now: number): SystemGroupName[] {
  switch (user.role) {
    case Role.owner:
      return ['role:owners']
    case Role.administrator:
      return ['role:administrators']
    case Role.moderator:
      return ['role:moderators']
    case Role.member:
      return isPastWaitingPeriod(realm, user, now) ? ['role:members', 'role:fullmembers'] : ['role:members']
    default:
      return ['role:everyone']
  }
}

/**
 * Checks a value that is to become a permission setting.
 * @throws BadRequestError when a group or user in it does not exist, is deactivated, or may not hold this setting
 */
export function assertAllowedValue(
  db: Reader,
  name: string,
  setting: PermissionSetting,
  value: GroupSettingValue,
): void {
  const groupIds = typeof value === 'number' ? [value] : value.direct_subgroups
  if (typeof value !== 'number' && setting.require_system_group) {
    throw new BadRequestError(`'${name}' must be a system user group.`)
  }
  for (const id of groupIds) {
    const group = groupById(db, id)
    if (!group || group.deactivated) throw new BadRequestError('Invalid user group')
    if (setting.require_system_group && !group.is_system_group) {
      throw new BadRequestError(`'${name}' must be a system user group.`)
    }
    if (group.is_system_group) assertAllowedSystemGroup(name, setting, group.name as SystemGroupName)
  }
  if (typeof value !== 'number') {
    assertActiveUsers(db, value.direct_members)
    if (value.direct_members.length + groupIds.length === 0 && !setting.allow_nobody_group) {
      throw new BadRequestError(`'${name}' setting cannot be set to 'role:nobody' group.`)
    }
  }
}

function assertAllowedSystemGroup(name: string, setting: PermissionSetting, group: SystemGroupName): void {
  const refused =
    (group === 'role:internet' && !setting.allow_internet_group) ||
    (group === 'role:everyone' && !setting.allow_everyone_group) ||
    (group === 'role:nobody' && !setting.allow_nobody_group) ||
    (setting.allowed_system_groups.length > 0 && !setting.allowed_system_groups.includes(group))
  if (refused) throw new BadRequestError(`'${name}' setting cannot be set to '${group}' group.`)
}

function assertActiveUsers(db: Reader, ids: readonly number[]): void {
  const active = usersByIds(db, ids).filter((user) => user.is_active)
  if (active.length !== new Set(ids).size) throw new BadRequestError('Invalid user ID')
}

/** Everybody among `people` who holds a permission: {@link holds} for many at once. */
export function holdersOf(
  db: Reader,
  realm: Realm,
  value: GroupSettingValue,
  people: readonly Person[],
  now: number,
): Set<number> {
  const [named, roots] =
    typeof value === 'number' ? [[], [value]] : [value.direct_members, value.direct_subgroups]
  const system = [...new Set(roots.flatMap((id) => reachOf(db, id).system))]
  const members = [new Set(named), ...roots.map((id) => addedMemberIds(db, id))]
  const isHolder = (person: Person) =>
    members.some((ids) => ids.has(person.id)) ||
    system.some((name) => isInSystemGroup(name, realm, person, now))
  return new Set(people.filter(isHolder).map(({ id }) => id))
}

/** @throws BadRequestError for guests and bots, for whom this is not */
export function assertPerson(me: Me): void {
  if (isGuest(me)) throw new BadRequestError('Not allowed for guest users')
  if (me.is_bot) throw new BadRequestError('This endpoint does not accept bot requests.')
}

/** @throws BadRequestError where the organization does not let the user make groups */
export function assertMayCreateGroups(ctx: RealmContext, tx: Tx, me: Me): void {
  assertPerson(me)
  if (!holdsOfRealm(ctx, tx, 'can_create_groups', me)) throw new BadRequestError('Insufficient permission')
}

/** Whether a user holds a permission of the organization. */
export function holdsOfRealm(ctx: RealmContext, db: Reader, name: RealmPermission, me: Me): boolean {
  const value = realmPermission(db, ctx.realm, name)
  return holdsSetting(db, ctx.realm, realmPermissions[name], value, me, ctx.server.now() / 1000)
}

/** Whether the user may change a group. Nobody changes a system group. */
function mayManage(ctx: RealmContext, db: Reader, me: Me, group: Group): boolean {
  return (
    !isGuest(me) &&
    (holdsOfRealm(ctx, db, 'can_manage_all_groups', me) ||
      holdsOfGroup(ctx, db, 'can_manage_group', me, group))
  )
}

const holdsOfGroup = (ctx: RealmContext, db: Reader, name: GroupPermission, me: Me, group: Group): boolean =>
  holdsSetting(
    db,
    ctx.realm,
    groupPermissions[name],
    groupPermission(db, group, name),
    me,
    ctx.server.now() / 1000,
  )

/** A group as anybody of the realm may read it. @throws BadRequestError */
export function groupToRead(db: Reader, id: number): Group {
  const group = groupById(db, id)
  if (!group) throw new BadRequestError('Invalid user group')
  return group
}

/**
 * A group whose name, description or settings the user may change.
 * @throws BadRequestError
 */
export function groupToManage(ctx: RealmContext, db: Reader, me: Me, id: number): Group {
  const group = groupToRead(db, id)
  if (group.is_system_group || !mayManage(ctx, db, me, group)) {
    throw new BadRequestError('Insufficient permission')
  }
  return group
}

/**
 * An active group that the user may change like this.
 * @param ways permissions of the group any of which is enough; who may manage the group may in any case
 * @throws BadRequestError
 */
export function groupToChange(
  ctx: RealmContext,
  db: Reader,
  me: Me,
  id: number,
  ways: readonly GroupPermission[],
): Group {
  const group = groupToRead(db, id)
  if (group.is_system_group) throw new BadRequestError('Insufficient permission')
  if (group.deactivated) throw new BadRequestError('User group is deactivated.')
  if (!mayManage(ctx, db, me, group) && !ways.some((name) => holdsOfGroup(ctx, db, name, me, group))) {
    throw new BadRequestError('Insufficient permission')
  }
  return group
}
