import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path, text } from '../../http/params.ts'
import { groupToManage } from './access.ts'
import { changeGroup } from './actions.ts'
import { GroupDescription, GroupName } from './fields.ts'
import { GroupSettingUpdate } from './setting-param.ts'

const update = json(GroupSettingUpdate.optional())

export const updateGroup = defineRoute({
  id: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Change the name, description or permission settings of a user group',
  caller: 'user',
  params: {
    user_group_id: path(z.int()),
    name: text(GroupName.optional()),
    description: text(GroupDescription.optional()),
    can_add_members_group: update,
    can_join_group: update,
    can_leave_group: update,
    can_manage_group: update,
    can_mention_group: json(GroupSettingUpdate.optional(), { aliases: ['can_mention_group_id'] }),
    can_remove_members_group: update,
  },
  result: z.object({}),
  run: (ctx, me, { user_group_id, ...changes }) =>
    ctx.transact((tx) => {
      changeGroup(tx, groupToManage(ctx, tx, me, user_group_id), changes)
      return {}
    }),
})
