import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { groupToChange } from './access.ts'
import { deactivateGroup as deactivate } from './actions.ts'

export const deactivateGroup = defineRoute({
  id: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group that nothing depends on',
  caller: 'user',
  params: { user_group_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { user_group_id }) =>
    ctx.transact((tx) => {
      deactivate(ctx, tx, groupToChange(ctx, tx, me, user_group_id, []))
      return {}
    }),
})
