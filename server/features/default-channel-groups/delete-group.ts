import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { groupToManage } from './access.ts'
import { deleteGroup as remove } from './actions.ts'

export const deleteGroup = defineRoute({
  id: 'delete-default-stream-group',
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Delete a group of default channels; for administrators',
  caller: 'user',
  params: { group_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { group_id }) => {
    ctx.transact((tx) => remove(tx, groupToManage(tx, me, group_id)))
    return {}
  },
})
