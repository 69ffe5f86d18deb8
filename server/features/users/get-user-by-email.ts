import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { userToSeeByEmail } from './access.ts'
import { userForm, userInForm } from './get-user.ts'
import { UserObject } from './present.ts'

export const getUserByEmail = defineRoute({
  id: 'get-user-by-email',
  method: 'GET',
  path: '/users/{email}',
  summary: 'One user, by an address that one may see or by the one that stands for it',
  caller: 'user',
  params: { email: path(z.string()), ...userForm },
  result: z.object({ user: UserObject }),
  run: (ctx, me, { email, ...form }) => ({
    user: userInForm(ctx, me, userToSeeByEmail(ctx, ctx.db, me, email), form),
  }),
})
