// Which groups the table shows, in which order.

import { plain } from '../../base/format.ts'
import { groupDescription, groupLabel, membersOf } from '../../base/groups.ts'
import type { Order } from '../../base/table.tsx'
import type { Group, RealmState } from '../../live.ts'

export type GroupKind = 'custom' | 'system' | 'deactivated'
export type GroupColumn = 'name' | 'members'
export type GroupOrder = Order<GroupColumn>

export interface GroupFilter {
  search: string
  kind: GroupKind
}

export interface GroupRow {
  id: number
  name: string
  group: Group
  /** In whichever nested group. */
  members: number
}

export function selectGroups(
  groups: RealmState['groups'],
  { search, kind }: GroupFilter,
  { columnAccessor, direction }: GroupOrder,
): GroupRow[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  const sign = direction === 'asc' ? 1 : -1
  return [...groups.values()]
    .filter((group) => kindOf(group) === kind)
    .filter((group) => {
      const text = plain(`${groupLabel(group)} ${groupDescription(group)}`)
      return words.every((word) => text.includes(word))
    })
    .map((group) => ({
      id: group.id,
      name: groupLabel(group),
      group,
      members: membersOf(groups, group.id).size,
    }))
    .sort(
      (a, b) =>
        sign * ((columnAccessor === 'members' ? a.members - b.members : 0) || a.name.localeCompare(b.name)),
    )
}

const kindOf = (group: Group): GroupKind =>
  group.is_system_group ? 'system' : group.deactivated ? 'deactivated' : 'custom'
