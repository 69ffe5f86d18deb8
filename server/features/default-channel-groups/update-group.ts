import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { groupToManage } from './access.ts'
import { changeGroup } from './actions.ts'
import { GroupDescription, GroupName } from './fields.ts'

export const updateGroup = defineRoute({
  id: 'update-default-stream-group',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Rename or describe a group of default channels; for administrators',
  caller: 'user',
  params: {
    group_id: path(z.int()),
    group_name: text(GroupName.optional(), { aliases: ['new_group_name'] }),
    description: text(GroupDescription.optional(), { aliases: ['new_description'] }),
  },
  result: z.object({}),
  run: (ctx, me, { group_id, group_name, description }) => {
    ctx.transact((tx) => changeGroup(tx, groupToManage(tx, me, group_id), { name: group_name, description }))
    return {}
  },
})
