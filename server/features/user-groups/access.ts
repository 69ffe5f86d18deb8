/** The permission engine: who holds a group-setting value. */
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import type { Realm } from '../realms/store.ts'
import { Role } from '../users/roles.ts'
import type { Row } from '../../db/tables.ts'
import { directMemberIds, groupById, groupsWithin } from './store.ts'
import type { GroupSettingValue, PermissionSetting, SystemGroupName } from './settings.ts'

type Person = Pick<Row<'users'>, 'id' | 'role' | 'date_joined' | 'is_bot'>

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
  if (typeof value !== 'number' && value.direct_members.includes(user.id)) return true
  const roots = typeof value === 'number' ? [value] : value.direct_subgroups
  if (roots.length === 0) return false
  return groupsWithin(db, roots, user.id).some(({ name, is_system_group, is_member }) =>
    is_system_group ? isInSystemGroup(name as SystemGroupName, realm, user, now) : is_member === 1,
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
  if (typeof value !== 'number') assertActiveUsers(db, value.direct_members)
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
  const unique = [...new Set(ids)]
  if (unique.length === 0) return
  const found = db.all(
    db.q.selectFrom('users').select('id').where('id', 'in', unique).where('is_active', '=', 1),
  )
  if (found.length !== unique.length) throw new BadRequestError('Invalid user ID')
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
  const holders = new Set(named)
  if (roots.length === 0) return holders
  const groups = groupsWithin(db, roots, 0)
  for (const { name, is_system_group } of groups) {
    if (!is_system_group) continue
    for (const person of people) {
      if (isInSystemGroup(name as SystemGroupName, realm, person, now)) holders.add(person.id)
    }
  }
  const ordinary = groups.filter((group) => !group.is_system_group).map((group) => group.id)
  for (const id of directMemberIds(db, ordinary)) holders.add(id)
  return holders
}
