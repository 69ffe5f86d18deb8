import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { hashPassword } from '../../services/passwords.ts'
import { assertMayCreateUsers } from './access.ts'
import { createUser as create } from './actions.ts'
import { Email, FullName, Password } from './fields.ts'

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
    const user = ctx.transact((tx) =>
      create(ctx, tx, { email, full_name, password_hash }, ctx.request.realmUrl),
    )
    return { user_id: user.id }
  },
})
