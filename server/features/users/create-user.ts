import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { hashPassword } from '../../services/passwords.ts'
import { assertMayCreateUsers } from './access.ts'
import { createUser as create } from './actions.ts'
import { Email, FullName, Password } from './fields.ts'
import { assertEmailAllowed, assertNameFree } from './rules.ts'
import { welcome } from './welcome.ts'

export const createUser = defineRoute({
  id: 'create-user',
  method: 'POST',
  path: '/users',
  summary: 'Create an account; for administrators who were granted it',
  caller: 'user',
  params: { email: text(Email), password: text(Password), full_name: text(FullName) },
  result: z.object({ user_id: z.int() }),
  run: async (ctx, me, { email, password, full_name }) => {
    assertMayCreateUsers(me)
    const password_hash = await hashPassword(password)
    return ctx.transact((tx) => {
      assertEmailAllowed(ctx, tx, email)
      assertNameFree(ctx, tx, full_name, null)
      const user = create(ctx, tx, { email, full_name, password_hash }, ctx.request.realmUrl)
      welcome(ctx, tx, user)
      return { user_id: user.id }
    })
  },
})
