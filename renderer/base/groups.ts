// Who is in a group, through however many others, and who holds what is given to groups.

import type { GroupSettingValue, PermissionSetting } from '../../server/contract.ts'
import type { Group, RealmState } from '../live.ts'

type Groups = RealmState['groups']

const systemLabels: Record<string, { label: string; description: string }> = {
  'role:internet': { label: 'Everyone on the internet', description: 'Also people without an account' },
  'role:everyone': { label: 'Everyone', description: 'All users, guests too' },
  'role:members': { label: 'Members', description: 'All users but guests' },
  'role:fullmembers': { label: 'Full members', description: 'Members past the waiting period' },
  'role:moderators': { label: 'Moderators', description: 'And administrators and owners' },
  'role:administrators': { label: 'Administrators', description: 'And owners' },
  'role:owners': { label: 'Owners', description: 'Those who own the organization' },
  'role:nobody': { label: 'Nobody', description: 'Not one user' },
}

export function groupLabel(group: Group): string {
  return (group.is_system_group && systemLabels[group.name]?.label) || group.name
}

export function groupDescription(group: Group): string {
  return (group.is_system_group && systemLabels[group.name]?.description) || group.description
}

/** The group itself and all that are nested in it. */
export function groupsWithin(groups: Groups, id: number): Set<number> {
  const found = new Set<number>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(groups.get(next)?.direct_subgroup_ids ?? []))
  }
  return found
}

/** Ids of the users in a group, in whichever nested one. */
export function membersOf(groups: Groups, id: number): Set<number> {
  return new Set([...groupsWithin(groups, id)].flatMap((inner) => groups.get(inner)?.members ?? []))
}

/** The groups a user is in; `direct` where the user stands in the group itself. */
export function groupsOf(groups: Groups, userId: number): { group: Group; direct: boolean }[] {
  return [...groups.values()]
    .filter((group) => !group.deactivated && membersOf(groups, group.id).has(userId))
    .map((group) => ({ group, direct: group.members.includes(userId) }))
}

/** Whether a user holds what a value names. */
export function holds(groups: Groups, value: GroupSettingValue, userId: number): boolean {
  if (typeof value === 'number') return membersOf(groups, value).has(userId)
  return (
    value.direct_members.includes(userId) ||
    value.direct_subgroups.some((id) => membersOf(groups, id).has(userId))
  )
}

/** Whether this page's user may change a group. */
export function mayManageGroup({ groups, snapshot, me }: RealmState, group: Group): boolean {
  if (group.is_system_group || group.deactivated) return false
  return holds(groups, snapshot.realm_can_manage_all_groups, me) || holds(groups, group.can_manage_group, me)
}

/** Whether a permission may be given to a group. */
export function mayHold(group: Group, rules: PermissionSetting): boolean {
  if (group.deactivated) return false
  if (!group.is_system_group) return !rules.require_system_group
  if (group.name === 'role:internet') return rules.allow_internet_group
  if (group.name === 'role:everyone' && !rules.allow_everyone_group) return false
  if (group.name === 'role:nobody' && !rules.allow_nobody_group) return false
  const { allowed_system_groups: allowed } = rules
  return allowed.length === 0 || allowed.some((name) => name === group.name)
}

/** A group-setting value in words: "Moderators, Design and Ann". */
export function describeValue({ groups, users }: RealmState, value: GroupSettingValue): string {
  const [groupIds, userIds] =
    typeof value === 'number' ? [[value], []] : [value.direct_subgroups, value.direct_members]
  const names = [
    ...groupIds.map((id) => groups.get(id)).map((group) => group && groupLabel(group)),
    ...userIds.map((id) => users.get(id)?.full_name),
  ].filter((name) => name !== undefined)
  if (names.length === 0) return 'Nobody'
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
