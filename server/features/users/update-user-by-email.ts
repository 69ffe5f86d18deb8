import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { userToAdministerByEmail } from './access.ts'
import { changeUser, userChanges } from './change-user.ts'

export const updateUserByEmail = defineRoute({
  id: 'update-user-by-email',
  method: 'PATCH',
  path: '/users/{email}',
  summary: 'Change the name, role, profile or address of a user; for administrators',
  caller: 'user',
  params: { email: path(z.string()), ...userChanges },
  result: z.object({}),
  run: (ctx, me, { email, ...changes }) =>
    ctx.transact((tx) => {
      changeUser(ctx, tx, me, userToAdministerByEmail(ctx, tx, me, email), changes)
      return {}
    }),
})
