/** User groups as clients see them. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { activePeople } from '../users/store.ts'
import { directSystemGroups } from './access.ts'
import { GroupSetting, presentValue } from './setting-param.ts'
import { type GroupPermission, groupPermissionNames, type GroupSettingValue } from './settings.ts'
import {
  allGroups,
  directSubgroupIds,
  type Group,
  groupPermission,
  memberIdsByGroup,
  systemGroupId,
} from './store.ts'

const permissions = Object.fromEntries(groupPermissionNames.map((name) => [name, GroupSetting])) as Record<
  GroupPermission,
  typeof GroupSetting
>

export const GroupObject = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  creator_id: z.int().nullable(),
  date_created: z.int().nullable(),
  is_system_group: z.boolean(),
  deactivated: z.boolean(),
  /** Active direct members. */
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  ...permissions,
})
export type GroupObject = z.output<typeof GroupObject>

export function presentGroup(db: Reader, group: Group, members: number[]): GroupObject {
  const settings = Object.fromEntries(
    groupPermissionNames.map((name) => [name, presentValue(db, groupPermission(db, group, name))]),
  ) as Record<GroupPermission, GroupSettingValue>
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creator_id,
    date_created: group.date_created,
    is_system_group: group.is_system_group === 1,
    deactivated: group.deactivated === 1,
    members,
    direct_subgroup_ids: [...directSubgroupIds(db, group.id)],
    ...settings,
  }
}

/** Ids of the active direct members of every group, ascending. System groups have them by role. */
export function membersByGroup(ctx: RealmContext, db: Reader): Map<number, number[]> {
  const members = memberIdsByGroup(db)
  const now = ctx.server.now() / 1000
  for (const person of activePeople(db)) {
    for (const name of directSystemGroups(ctx.realm, person, now)) {
      const id = systemGroupId(db, name)
      const list = members.get(id)
      if (list) list.push(person.id)
      else members.set(id, [person.id])
    }
  }
  return members
}

/** The groups a client starts with: its part of the register response. */
export function groupSnapshot(
  ctx: RealmContext,
  db: Reader,
  { deactivated }: { deactivated: boolean },
): GroupObject[] {
  const members = membersByGroup(ctx, db)
  return allGroups(db)
    .filter((group) => deactivated || !group.deactivated)
    .map((group) => presentGroup(db, group, members.get(group.id) ?? []))
}
