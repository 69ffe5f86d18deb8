import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { hashPassword } from '../../services/passwords.ts'
import { assertMayChangeRole, assertMayCreateUsers } from '../users/access.ts'
import { createUser as create } from '../users/actions.ts'
import { Email, FullName, Password } from '../users/fields.ts'
import { Role, roleNumbers } from '../users/roles.ts'
import { assertEmailAllowed, assertNameFree } from '../users/rules.ts'
import { welcome } from '../users/welcome.ts'
import { actingUser, realmToManage } from './access.ts'

export const createUser = defineRoute({
  id: 'admin-create-user',
  method: 'POST',
  path: '/realms/{name}/users',
  summary: 'Create a user with a role; answers the API key',
  caller: 'admin',
  params: {
    name: path(z.string()),
    email: text(Email),
    full_name: text(FullName),
    role: text(z.literal(roleNumbers).default(Role.member)),
    password: text(Password.optional()),
  },
  result: z.object({ user_id: z.int(), email: z.string(), api_key: z.string() }),
  run: async (ctx, session, { name, email, full_name, role, password }) => {
    const target = realmToManage(ctx, session, name)
    const me = actingUser(ctx, session)
    if (me) assertMayCreateUsers(me)
    const password_hash = password === undefined ? null : await hashPassword(password)
    const realmUrl = `${ctx.request.realmUrl}/r/${name}`
    return target.transact((tx) => {
      if (me) {
        assertEmailAllowed(target, tx, email)
        assertNameFree(target, tx, full_name, null)
      }
      const user = create(target, tx, { email, full_name, role, password_hash }, realmUrl)
      if (me) assertMayChangeRole(tx, me, user, role)
      welcome(target, tx, user)
      return { user_id: user.id, email: user.delivery_email, api_key: user.api_key }
    })
  },
})
