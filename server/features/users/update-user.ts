import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { assertMayChangeRole, userToAdminister } from './access.ts'
import { changeFullName, changeRole } from './actions.ts'
import { FullName } from './fields.ts'
import { roleNumbers } from './roles.ts'

export const updateUser = defineRoute({
  id: 'update-user',
  method: 'PATCH',
  path: '/users/{user_id}',
  summary: 'Change the name or role of a user; for administrators',
  caller: 'user',
  params: {
    user_id: path(z.int()),
    full_name: text(FullName.optional()),
    role: text(z.literal(roleNumbers).optional()),
  },
  result: z.object({}),
  run: (ctx, me, { user_id, full_name, role }) =>
    ctx.transact((tx) => {
      const user = userToAdminister(tx, me, user_id)
      if (role !== undefined) {
        assertMayChangeRole(tx, me, user, role)
        changeRole(ctx, tx, user, role)
      }
      if (full_name !== undefined) changeFullName(tx, user, full_name)
      return {}
    }),
})
