import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { userToAdminister } from './access.ts'
import { changeUser, userChanges } from './change-user.ts'

export const updateUser = defineRoute({
  id: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Change the name, role, profile or address of a user; for administrators',
  caller: 'user',
  params: { user_id: path(z.int()), ...userChanges },
  result: z.object({}),
  run: (ctx, me, { user_id, ...changes }) =>
    ctx.transact((tx) => {
      changeUser(ctx, tx, me, userToAdminister(tx, me, user_id), changes)
      return {}
    }),
})
