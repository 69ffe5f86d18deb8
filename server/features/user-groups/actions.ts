/** What changes about user groups, and who hears of it: everybody in the organization. */
import { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { EventOf } from '../../events/union.ts'
import { BadRequestError } from '../../http/errors.ts'
import { announceSightSince, watchingSightBy } from '../channels/visibility.ts'
import type { Realm } from '../realms/store.ts'
import { activePeople, activeUserIds, inactiveUserIds, type Person, usersByIds } from '../users/store.ts'
import { directSystemGroups, holdersOf } from './access.ts'
import { CannotDeactivateGroupInUseError } from './errors.ts'
import { objectionsTo } from './objections.ts'
import { presentGroup } from './present.ts'
import { changedValue, type GroupSettingUpdate, namesUser, presentValue } from './setting-param.ts'
import { type GroupPermission, groupPermissionNames, groupPermissions } from './settings.ts'
import {
  allGroups,
  deleteMembers,
  deleteSubgroups,
  directGroupIds,
  directMemberIds,
  directSubgroupIds,
  type Group,
  groupById,
  groupByName,
  groupPermission,
  type GroupSettings,
  insertGroup,
  insertMembers,
  insertSubgroups,
  parseGroupSettings,
  reachOf,
  systemGroupId,
  updateGroup,
} from './store.ts'

export interface NewGroup {
  name: string
  description: string
  /** Ids of users. */
  members: readonly number[]
  /** Ids of groups. */
  subgroups: readonly number[]
  settings: GroupSettings
  /** UNIX seconds; now when left out. */
  date_created?: number
}

/**
 * Creates a group and tells everybody.
 * @returns its id
 * @throws BadRequestError when the name is taken, or a member or subgroup is not there or not active
 */
export function createGroup(tx: Tx, creatorId: number | null, fields: NewGroup): number {
  const { name, description, settings, date_created = tx.now } = fields
  const [members, subgroups] = [unique(fields.members), unique(fields.subgroups)]
  assertNameIsFree(tx, name)
  assertActiveUsers(tx, members)
  assertActiveGroups(tx, subgroups)
  const id = insertGroup(tx, {
    name,
    description,
    creator_id: creatorId,
    date_created,
    settings: JSON.stringify(settings),
  })
  insertMembers(tx, id, members)
  insertSubgroups(tx, id, subgroups)
  const group = existing(tx, id)
  emit(tx, group, { type: 'user_group', op: 'add', group: presentGroup(tx, group, members) })
  return id
}

/** What is to become of a group; what is absent stays. */
export type GroupChanges = { name?: string | undefined; description?: string | undefined } & {
  [Name in GroupPermission]?: GroupSettingUpdate | undefined
}

/**
 * Changes name, description and permission settings.
 * @throws BadRequestError when the name is taken or a permission cannot be given like this
 */
export function changeGroup(tx: Tx, group: Group, changes: GroupChanges): void {
  const data: Extract<EventOf<'user_group'>, { op: 'update' }>['data'] = {}
  const { name, description } = changes
  if (name !== undefined && name !== group.name) {
    assertNameIsFree(tx, name, group.id)
    data.name = name
  }
  if (description !== undefined && description !== group.description) data.description = description
  const settings = parseGroupSettings(group)
  for (const permission of groupPermissionNames) {
    const setting = groupPermissions[permission]
    const current = groupPermission(tx, group, permission)
    const value = changedValue(tx, permission, setting, current, changes[permission])
    if (value !== undefined) data[permission] = settings[permission] = value
  }
  if (Object.keys(data).length === 0) return
  updateGroup(tx, group.id, {
    name: data.name ?? group.name,
    description: data.description ?? group.description,
    settings: JSON.stringify(settings),
  })
  emit(tx, group, { type: 'user_group', op: 'update', group_id: group.id, data })
}

/** @throws CannotDeactivateGroupInUseError while something depends on the group */
export function deactivateGroup(ctx: RealmContext, tx: Tx, group: Group): void {
  const objections = objectionsTo(ctx, tx, group)
  if (objections.length > 0) throw new CannotDeactivateGroupInUseError(objections)
  updateGroup(tx, group.id, { deactivated: 1 })
  emit(tx, group, { type: 'user_group', op: 'update', group_id: group.id, data: { deactivated: true } })
}

/** @throws BadRequestError for somebody who is not there, not active, or a member already */
export function addMembers(ctx: RealmContext, tx: Tx, group: Group, userIds: readonly number[]): void {
  const user_ids = unique(userIds)
  assertActiveUsers(tx, user_ids)
  const members = new Set(directMemberIds(tx, [group.id]))
  for (const id of user_ids) {
    if (members.has(id)) throw new BadRequestError(`User ${id} is already a member of this group`)
  }
  watchingSightBy(
    ctx,
    tx,
    group.id,
    () => user_ids,
    () => {
      insertMembers(tx, group.id, user_ids)
      emit(tx, group, { type: 'user_group', op: 'add_members', group_id: group.id, user_ids })
    },
  )
}

/** @throws BadRequestError for somebody who is not a member */
export function removeMembers(ctx: RealmContext, tx: Tx, group: Group, userIds: readonly number[]): void {
  const user_ids = unique(userIds)
  const members = new Set(directMemberIds(tx, [group.id]))
  for (const id of user_ids) {
    if (!members.has(id)) throw new BadRequestError(`There is no member '${id}' in this user group`)
  }
  watchingSightBy(
    ctx,
    tx,
    group.id,
    () => user_ids,
    () => {
      deleteMembers(tx, group.id, user_ids)
      emit(tx, group, { type: 'user_group', op: 'remove_members', group_id: group.id, user_ids })
    },
  )
}

/** @throws BadRequestError for a group that is not there, not active, in there already, or contains this one */
export function addSubgroups(ctx: RealmContext, tx: Tx, group: Group, groupIds: readonly number[]): void {
  const ids = unique(groupIds)
  assertActiveGroups(tx, ids)
  const present = directSubgroupIds(tx, group.id)
  for (const id of ids) {
    if (present.includes(id)) {
      throw new BadRequestError(`User group ${id} is already a subgroup of this group.`)
    }
    if (reachOf(tx, id).ids.has(group.id)) {
      throw new BadRequestError(
        `User group ${group.id} is already a subgroup of one of the passed subgroups.`,
      )
    }
  }
  watchingSightBy(
    ctx,
    tx,
    group.id,
    () => membersWithin(ctx, tx, ids),
    () => {
      insertSubgroups(tx, group.id, ids)
      emit(tx, group, {
        type: 'user_group',
        op: 'add_subgroups',
        group_id: group.id,
        direct_subgroup_ids: ids,
      })
    },
  )
}

/** @throws BadRequestError for a group that is not directly in there */
export function removeSubgroups(ctx: RealmContext, tx: Tx, group: Group, groupIds: readonly number[]): void {
  const ids = unique(groupIds)
  const present = directSubgroupIds(tx, group.id)
  for (const id of ids) {
    if (!present.includes(id)) {
      throw new BadRequestError(`User group ${id} is not a subgroup of this group.`)
    }
  }
  watchingSightBy(
    ctx,
    tx,
    group.id,
    () => membersWithin(ctx, tx, ids),
    () => {
      deleteSubgroups(tx, group.id, ids)
      emit(tx, group, {
        type: 'user_group',
        op: 'remove_subgroups',
        group_id: group.id,
        direct_subgroup_ids: ids,
      })
    },
  )
}

function membersWithin(ctx: RealmContext, tx: Tx, groupIds: readonly number[]): number[] {
  const value = { direct_members: [], direct_subgroups: [...groupIds] }
  return [...holdersOf(tx, ctx.realm, value, activePeople(tx), tx.now)]
}

/** Tells of the system groups that somebody is in by their role, now that it is another one or they are new. */
export function announceRole(realm: Realm, tx: Tx, before: Person | null, after: Person): void {
  const left = before ? directSystemGroups(realm, before, tx.now) : []
  const entered = directSystemGroups(realm, after, tx.now)
  const tell = (op: 'add_members' | 'remove_members', names: typeof left) => {
    for (const name of names) announceMembership(tx, op, systemGroupId(tx, name), after.id)
  }
  tell(
    'remove_members',
    left.filter((name) => !entered.includes(name)),
  )
  tell(
    'add_members',
    entered.filter((name) => !left.includes(name)),
  )
}

/**
 * Tells of members whose waiting period is over, and them of the channels that are open to them now.
 * @param ids of users, ascending
 * @param before UNIX seconds, a time at which it was not over for any of them
 */
export function announceFullMembers(ctx: RealmContext, tx: Tx, ids: readonly number[], before: number): void {
  const group = existing(tx, systemGroupId(tx, 'role:fullmembers'))
  emit(tx, group, { type: 'user_group', op: 'add_members', group_id: group.id, user_ids: [...ids] })
  const earlier = new RealmContext({ ...ctx.server, now: () => before * 1000 }, ctx.realm)
  announceSightSince(earlier, ctx, tx, ids)
}

/** Tells who is a full member, and who no longer, since the waiting period is another one; and whom that lets in. */
export function announceWaitingPeriod({ server }: RealmContext, tx: Tx, before: Realm, after: Realm): void {
  const group = existing(tx, systemGroupId(tx, 'role:fullmembers'))
  const isFull = (realm: Realm, person: Person) =>
    directSystemGroups(realm, person, tx.now).includes('role:fullmembers')
  const people = activePeople(tx)
  const entered = people.filter((person) => !isFull(before, person) && isFull(after, person))
  const left = people.filter((person) => isFull(before, person) && !isFull(after, person))
  for (const [op, changed] of [
    ['add_members', entered],
    ['remove_members', left],
  ] as const) {
    const user_ids = changed.map(({ id }) => id)
    if (user_ids.length > 0) emit(tx, group, { type: 'user_group', op, group_id: group.id, user_ids })
  }
  const changed = [...entered, ...left].map(({ id }) => id)
  announceSightSince(new RealmContext(server, before), new RealmContext(server, after), tx, changed)
}

/**
 * A reactivated user is back in the groups, and in the group settings, that they were in. Of their deactivation
 * nothing is said: clients drop a deactivated user from all groups (specification, "Events").
 */
export function announceReturn(realm: Realm, tx: Tx, user: Person): void {
  announceRole(realm, tx, null, user)
  for (const id of directGroupIds(tx, user.id)) announceMembership(tx, 'add_members', id, user.id)
  for (const group of allGroups(tx)) {
    const settings = parseGroupSettings(group)
    const named = groupPermissionNames
      .map((name) => [name, settings[name] ?? groupPermission(tx, group, name)] as const)
      .filter(([, value]) => namesUser(value, user.id))
    if (named.length === 0) continue
    const data = Object.fromEntries(named.map(([name, value]) => [name, presentValue(tx, value)]))
    emit(tx, group, { type: 'user_group', op: 'update', group_id: group.id, data })
  }
}

function announceMembership(
  tx: Tx,
  op: 'add_members' | 'remove_members',
  groupId: number,
  userId: number,
): void {
  emit(tx, existing(tx, groupId), { type: 'user_group', op, group_id: groupId, user_ids: [userId] })
}

/** @param group as it was before: who never heard of a deactivated group hears nothing of it */
function emit(tx: Tx, group: Group, event: EventOf<'user_group'>): void {
  tx.emit(event, { to: activeUserIds(tx), ofDeactivatedGroup: group.deactivated === 1 })
}

function assertNameIsFree(tx: Tx, name: string, exceptFor?: number): void {
  const holder = groupByName(tx, name)
  if (holder && holder.id !== exceptFor) throw new BadRequestError(`User group '${name}' already exists.`)
}

function assertActiveUsers(tx: Tx, ids: readonly number[]): void {
  const inactive = inactiveUserIds(tx)
  const found = new Set(
    usersByIds(tx, ids)
      .filter((user) => !user.is_system_bot)
      .map(({ id }) => id),
  )
  for (const id of ids) {
    if (!found.has(id) || inactive.has(id)) throw new BadRequestError(`Invalid user ID: ${id}`)
  }
}

function assertActiveGroups(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) {
    const group = groupById(tx, id)
    if (!group) throw new BadRequestError(`Invalid user group ID: ${id}`)
    if (group.deactivated) throw new BadRequestError('User group is deactivated.')
  }
}

const unique = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

function existing(tx: Tx, id: number): Group {
  const group = groupById(tx, id)
  if (!group) throw new Error(`Group ${id} vanished`)
  return group
}
