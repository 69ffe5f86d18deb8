import { z } from 'zod'
import { GroupObject } from './present.ts'
import { GroupSetting } from './setting-param.ts'
import { type GroupPermission, groupPermissionNames } from './settings.ts'

const type = z.literal('user_group')
const ids = z.array(z.int())
const permissions = Object.fromEntries(
  groupPermissionNames.map((name) => [name, GroupSetting.optional()]),
) as Record<GroupPermission, z.ZodOptional<typeof GroupSetting>>

export const userGroupEvents = [
  z.strictObject({ type, op: z.literal('add'), group: GroupObject }),
  /** Clients that do not know deactivated groups are sent this in place of the update. */
  z.strictObject({ type, op: z.literal('remove'), group_id: z.int() }),
  z.strictObject({
    type,
    op: z.literal('update'),
    group_id: z.int(),
    /** Only what changed. */
    data: z.strictObject({
      name: z.string().optional(),
      description: z.string().optional(),
      deactivated: z.boolean().optional(),
      ...permissions,
    }),
  }),
  z.strictObject({ type, op: z.literal('add_members'), group_id: z.int(), user_ids: ids }),
  z.strictObject({ type, op: z.literal('remove_members'), group_id: z.int(), user_ids: ids }),
  z.strictObject({ type, op: z.literal('add_subgroups'), group_id: z.int(), direct_subgroup_ids: ids }),
  z.strictObject({ type, op: z.literal('remove_subgroups'), group_id: z.int(), direct_subgroup_ids: ids }),
] as const
