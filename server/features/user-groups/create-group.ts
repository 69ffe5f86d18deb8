import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, text } from '../../http/params.ts'
import { assertMayCreateGroups } from './access.ts'
import { createGroup as create } from './actions.ts'
import { GroupDescription, GroupName } from './fields.ts'
import { allowedValue, GroupSetting } from './setting-param.ts'
import { groupPermissionNames, groupPermissions } from './settings.ts'
import type { GroupSettings } from './store.ts'

const setting = json(GroupSetting.optional())

export const createGroup = defineRoute({
  id: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Create a user group',
  caller: 'user',
  params: {
    name: text(GroupName),
    description: text(GroupDescription),
    members: json(z.array(z.int())),
    subgroups: json(z.array(z.int()).optional()),
    can_add_members_group: setting,
    can_join_group: setting,
    can_leave_group: setting,
    can_manage_group: setting,
    can_mention_group: json(GroupSetting.optional(), { aliases: ['can_mention_group_id'] }),
    can_remove_members_group: setting,
  },
  result: z.object({ group_id: z.int() }),
  run: (ctx, me, { name, description, members, subgroups = [], ...given }) =>
    ctx.transact((tx) => {
      assertMayCreateGroups(ctx, tx, me)
      const settings: GroupSettings = {}
      for (const permission of groupPermissionNames) {
        const value = given[permission]
        if (value !== undefined) {
          settings[permission] = allowedValue(tx, permission, groupPermissions[permission], value)
        }
      }
      return { group_id: create(tx, me.id, { name, description, members, subgroups, settings }) }
    }),
})
