import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { hashPassword } from '../../services/passwords.ts'
import { assertMayChangeEmails } from '../users/access.ts'
import { changeEmail } from '../users/actions.ts'
import { Email, Password } from '../users/fields.ts'
import { assertEmailAllowed } from '../users/rules.ts'
import { updateUser } from '../users/store.ts'
import { actingUser, realmToManage } from './access.ts'
import { managedUser } from './renew-api-key.ts'

export const changeUser = defineRoute({
  id: 'admin-change-user',
  method: 'PATCH',
  path: '/realms/{name}/users/{user_id}',
  summary: 'Give a user another address or a new password',
  caller: 'admin',
  params: {
    name: path(z.string()),
    user_id: path(z.int()),
    email: text(Email.optional()),
    password: text(Password.optional()),
  },
  result: z.object({}),
  run: async (ctx, session, { name, user_id, email, password }) => {
    const target = realmToManage(ctx, session, name)
    const me = actingUser(ctx, session)
    // Asked before the password is worked on, and again after.
    managedUser(target.db, me, user_id)
    const password_hash = password === undefined ? undefined : await hashPassword(password)
    return target.transact((tx) => {
      const user = managedUser(tx, me, user_id)
      if (user.is_bot) throw new BadRequestError('Bots have neither a password nor an address of their own')
      if (email !== undefined && email !== user.delivery_email) {
        if (me) assertMayChangeEmails(me)
        assertEmailAllowed(target, tx, email)
        changeEmail(target, tx, user, email)
      }
      if (password_hash !== undefined) updateUser(tx, user.id, { password_hash })
      return {}
    })
  },
})
