import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { userToAdminister } from './access.ts'
import { reactivateUser as reactivate } from './actions.ts'

export const reactivateUser = defineRoute({
  id: 'reactivate-user',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  summary: 'Make a deactivated user active again; for administrators',
  caller: 'user',
  params: { user_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { user_id }) =>
    ctx.transact((tx) => {
      const user = userToAdminister(tx, me, user_id)
      if (!user.is_active) reactivate(ctx, tx, user)
      return {}
    }),
})
