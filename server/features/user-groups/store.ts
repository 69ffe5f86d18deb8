/** User groups: their rows, and the graph of them that is kept in memory. */
import { Kept } from '../../db/kept.ts'
import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import {
  type GroupPermission,
  groupPermissions,
  type GroupSettingValue,
  systemGroups,
  type SystemGroupName,
} from './settings.ts'

export type Group = Row<'user_groups'>

/** The groups of a realm and which is nested in which. Who is in them is not here. */
interface Graph {
  groups: ReadonlyMap<number, Group>
  byNameKey: ReadonlyMap<string, Group>
  systemIds: ReadonlyMap<SystemGroupName, number>
  /** Ids of the groups directly in a group, ascending. */
  subgroups: ReadonlyMap<number, readonly number[]>
  /** What {@link reachOf} found out before. */
  reach: Map<number, Reach>
}

/** All groups whose members are members of a group. */
export interface Reach {
  /** The group itself and every group nested in it, however deep. */
  ids: ReadonlySet<number>
  /** The system groups among them. */
  system: readonly SystemGroupName[]
}

/** A name as it is compared: two groups cannot differ in case alone, for a mention names either. */
export const groupNameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase()

const graphs = new Kept<Graph>((db) => {
  const rows = db.all(db.q.selectFrom('user_groups').selectAll().orderBy('id'))
  const edges = db.all(
    db.q.selectFrom('user_group_subgroups').select(['group_id', 'subgroup_id']).orderBy('subgroup_id'),
  )
  const subgroups = new Map<number, number[]>()
  for (const { group_id, subgroup_id } of edges) {
    const known = subgroups.get(group_id)
    if (known) known.push(subgroup_id)
    else subgroups.set(group_id, [subgroup_id])
  }
  return {
    groups: new Map(rows.map((row) => [row.id, row])),
    byNameKey: new Map(rows.map((row) => [groupNameKey(row.name), row])),
    systemIds: new Map(
      rows.filter((row) => row.is_system_group).map((row) => [row.name as SystemGroupName, row.id]),
    ),
    subgroups,
    reach: new Map(),
  }
})

/** Ids of the groups that users are direct members of, by user, as far as anybody asked. */
const memberships = new Kept<Map<number, readonly number[]>>(() => new Map())

/** Ids of the realm's system groups. */
export const systemGroupIds = (db: Reader): ReadonlyMap<SystemGroupName, number> => graphs.of(db).systemIds

export function systemGroupId(db: Reader, name: SystemGroupName): number {
  const id = systemGroupIds(db).get(name)
  if (id === undefined) throw new Error(`Realm ${db.realmId} has no group ${name}`)
  return id
}

export const groupById = (db: Reader, id: number): Group | undefined => graphs.of(db).groups.get(id)

export const groupByName = (db: Reader, name: string): Group | undefined =>
  graphs.of(db).byNameKey.get(groupNameKey(name))

/** All groups of the realm, deactivated ones too, by id. */
export const allGroups = (db: Reader): Group[] => [...graphs.of(db).groups.values()]

/** Ids of the groups directly in a group, ascending. */
export const directSubgroupIds = (db: Reader, groupId: number): readonly number[] =>
  graphs.of(db).subgroups.get(groupId) ?? []

const nothing: Reach = { ids: new Set(), system: [] }

/** Which groups' members are members of this one. A deactivated group lends its members to no other. */
export function reachOf(db: Reader, groupId: number): Reach {
  const { groups, subgroups, reach } = graphs.of(db)
  let found = reach.get(groupId)
  if (found) return found
  if (!groups.has(groupId)) return nothing
  const isActive = (id: number) => groups.get(id)?.deactivated === 0
  const ids = new Set([groupId])
  // A set is walked in the order of its making, with what is added on the way.
  for (const id of ids) {
    for (const subgroup of subgroups.get(id) ?? []) if (isActive(subgroup)) ids.add(subgroup)
  }
  const system = [...ids].flatMap((id) => {
    const group = groups.get(id)
    return group?.is_system_group ? [group.name as SystemGroupName] : []
  })
  found = { ids, system }
  reach.set(groupId, found)
  return found
}

/** Ids of the active groups that a group is directly in, ascending. */
export const supergroupIds = (db: Reader, groupId: number): number[] =>
  [...graphs.of(db).subgroups]
    .filter(([id, subgroups]) => subgroups.includes(groupId) && groupById(db, id)?.deactivated === 0)
    .map(([id]) => id)
    .sort((a, b) => a - b)

const groupsOfUser = statement((q, userId: number) =>
  q.selectFrom('user_group_members').select('group_id').where('user_id', '=', userId).orderBy('group_id'),
)

/** Ids of the groups that a user is a direct member of; system groups have no such members. */
export function directGroupIds(db: Reader, userId: number): readonly number[] {
  const known = memberships.of(db)
  let ids = known.get(userId)
  if (!ids) {
    ids = db.all(groupsOfUser(userId)).map((row) => row.group_id)
    known.set(userId, ids)
  }
  return ids
}

/** Ids of the direct members of groups, active or not. */
export const directMemberIds = (db: Reader, groupIds: Iterable<number>): number[] =>
  db
    .sql<{ user_id: number }>(
      `SELECT DISTINCT user_id FROM user_group_members
        WHERE group_id IN (SELECT value FROM json_each(?)) AND +realm_id = :realm ORDER BY user_id`,
      [JSON.stringify([...groupIds])],
    )
    .map((row) => row.user_id)

const memberSets = new Kept<Map<number, ReadonlySet<number>>>(() => new Map())

/** Ids of all who are members of a group or of one nested in it by having been added, active or not. */
export function addedMemberIds(db: Reader, groupId: number): ReadonlySet<number> {
  const known = memberSets.of(db)
  let ids = known.get(groupId)
  if (!ids) {
    ids = new Set(directMemberIds(db, reachOf(db, groupId).ids))
    known.set(groupId, ids)
  }
  return ids
}

/** Ids of the active direct members of every group that has any, ascending. */
export function memberIdsByGroup(db: Reader): Map<number, number[]> {
  const rows = db.sql<{ group_id: number; ids: string }>(
    `SELECT m.group_id, json_group_array(m.user_id ORDER BY m.user_id) AS ids
       FROM user_group_members m JOIN users u ON u.id = m.user_id AND u.is_active = 1
      WHERE m.realm_id = :realm GROUP BY m.group_id`,
  )
  return new Map(rows.map((row) => [row.group_id, JSON.parse(row.ids) as number[]]))
}

/** Makes the system groups of a new realm, each nested in the next wider one. */
export function insertSystemGroups(tx: Tx): void {
  const ids = new Map<SystemGroupName, number>()
  for (const { name, description } of systemGroups) {
    ids.set(name, insertGroup(tx, { name, description, is_system_group: 1, date_created: tx.now }))
  }
  const nested = systemGroups.filter(({ name }) => name !== 'role:nobody')
  nested.slice(1).forEach(({ name }, i) => {
    const wider = ids.get(nested[i]?.name ?? name)
    const narrower = ids.get(name)
    if (wider !== undefined && narrower !== undefined) insertSubgroups(tx, wider, [narrower])
  })
}

function forgetGraph(tx: Tx): void {
  graphs.forget(tx)
  memberSets.forget(tx)
}

export function insertGroup(
  tx: Tx,
  row: Pick<Group, 'name' | 'description' | 'date_created'> & Partial<Group>,
): number {
  const id = tx.insert('user_groups', row)
  forgetGraph(tx)
  return id
}

export function updateGroup(tx: Tx, id: number, changes: Partial<Group>): void {
  tx.run(tx.q.updateTable('user_groups').set(changes).where('id', '=', id))
  forgetGraph(tx)
}

export function insertMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  for (const user_id of userIds) tx.insert('user_group_members', { group_id: groupId, user_id })
  memberships.forget(tx)
  memberSets.forget(tx)
}

export function deleteMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  tx.run(
    tx.q.deleteFrom('user_group_members').where('group_id', '=', groupId).where('user_id', 'in', userIds),
  )
  memberships.forget(tx)
  memberSets.forget(tx)
}

export function insertSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  for (const subgroup_id of subgroupIds) {
    tx.insert('user_group_subgroups', { group_id: groupId, subgroup_id })
  }
  forgetGraph(tx)
}

export function deleteSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  tx.run(
    tx.q
      .deleteFrom('user_group_subgroups')
      .where('group_id', '=', groupId)
      .where('subgroup_id', 'in', subgroupIds),
  )
  forgetGraph(tx)
}

const parsed = new Map<string, GroupSettingValue>()

/** Values are few and read all the time. What is answered is shared: it is not to be changed. */
export function parseGroupSetting(stored: string): GroupSettingValue {
  let value = parsed.get(stored)
  if (value === undefined) {
    value = JSON.parse(stored) as GroupSettingValue
    if (parsed.size > 10_000) parsed.clear()
    parsed.set(stored, value)
  }
  return value
}

/** The value of one permission setting of a group. */
export function groupPermission(db: Reader, group: Group, name: GroupPermission): GroupSettingValue {
  const chosen = parseGroupSettings(group)[name]
  if (chosen !== undefined) return chosen
  const { default_for_system_groups, default_group_name } = groupPermissions[name]
  if (group.is_system_group && default_for_system_groups) return systemGroupId(db, default_for_system_groups)
  if (default_group_name !== 'group_creator') return systemGroupId(db, default_group_name)
  if (group.creator_id === null) return systemGroupId(db, 'role:nobody')
  return { direct_members: [group.creator_id], direct_subgroups: [] }
}

/** The permission settings of a group that somebody chose. */
export type GroupSettings = Partial<Record<GroupPermission, GroupSettingValue>>

export const parseGroupSettings = (group: Group): GroupSettings => JSON.parse(group.settings) as GroupSettings
