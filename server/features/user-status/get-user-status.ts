import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { userToSee } from '../users/access.ts'
import { presentStatus, StatusObject } from './present.ts'
import { statusOf } from './store.ts'

export const getUserStatus = defineRoute({
  id: 'get-user-status',
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: 'Fetch the status of a user',
  caller: 'user',
  params: { user_id: path(z.int()) },
  result: z.object({ status: StatusObject }),
  run: (ctx, me, { user_id }) => {
    const user = userToSee(ctx, ctx.db, me, user_id)
    return { status: presentStatus(user, statusOf(ctx.db, user.id)) }
  },
})
