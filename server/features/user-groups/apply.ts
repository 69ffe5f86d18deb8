/** Keeps a snapshot of user groups current. Pure: clients run it too. */
import type { EventOf } from '../../events/union.ts'
import type { GroupObject } from './present.ts'
import { groupPermissionNames, type GroupSettingValue } from './settings.ts'

export function applyToGroups(part: GroupObject[], event: EventOf<'user_group'>): GroupObject[] {
  const change = (id: number, apply: (group: GroupObject) => GroupObject) =>
    part.map((group) => (group.id === id ? apply(group) : group))
  switch (event.op) {
    case 'add':
      return [...part.filter(({ id }) => id !== event.group.id), event.group].sort((a, b) => a.id - b.id)
    case 'remove':
      return part.filter(({ id }) => id !== event.group_id)
    case 'update':
      return change(event.group_id, (group) => ({ ...group, ...event.data }) as GroupObject)
    case 'add_members':
      return change(event.group_id, (group) => ({ ...group, members: plus(group.members, event.user_ids) }))
    case 'remove_members':
      return change(event.group_id, (group) => ({ ...group, members: minus(group.members, event.user_ids) }))
    case 'add_subgroups':
      return change(event.group_id, (group) => ({
        ...group,
        direct_subgroup_ids: plus(group.direct_subgroup_ids, event.direct_subgroup_ids),
      }))
    case 'remove_subgroups':
      return change(event.group_id, (group) => ({
        ...group,
        direct_subgroup_ids: minus(group.direct_subgroup_ids, event.direct_subgroup_ids),
      }))
    default:
      throw new Error(`Unknown event: ${JSON.stringify(event satisfies never)}`)
  }
}

/** A deactivated user is dropped from all groups (specification, "Events"). */
export function dropFromGroups(part: GroupObject[], userId: number): GroupObject[] {
  return part.map((group) => {
    const members = group.members.filter((id) => id !== userId)
    const settings = Object.fromEntries(
      groupPermissionNames.map((name) => [name, dropFromValue(group[name], userId)]),
    )
    return { ...group, ...settings, members }
  })
}

export const dropFromValue = (value: GroupSettingValue, userId: number): GroupSettingValue =>
  typeof value === 'number'
    ? value
    : { ...value, direct_members: value.direct_members.filter((id) => id !== userId) }

const plus = (list: readonly number[], ids: readonly number[]): number[] =>
  [...new Set([...list, ...ids])].sort((a, b) => a - b)

const minus = (list: readonly number[], ids: readonly number[]): number[] =>
  list.filter((id) => !ids.includes(id))
