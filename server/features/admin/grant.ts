import { z } from 'zod'
import { bit } from '../../db/tables.ts'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { updateUser } from '../users/store.ts'
import { assertOperator, realmToManage } from './access.ts'
import { managedUser } from './renew-api-key.ts'

export const grant = defineRoute({
  id: 'admin-grant',
  method: 'POST',
  path: '/realms/{name}/users/{user_id}/grants',
  summary: 'Grant or revoke one of the two permissions that only the server gives',
  caller: 'admin',
  params: {
    name: path(z.string()),
    user_id: path(z.int()),
    permission: text(z.enum(['can_create_users', 'can_change_user_emails'])),
    granted: text(z.boolean()),
  },
  result: z.object({}),
  run: (ctx, session, { name, user_id, permission, granted }) => {
    assertOperator(session)
    return realmToManage(ctx, session, name).transact((tx) => {
      updateUser(tx, managedUser(tx, null, user_id).id, { [permission]: bit(granted) })
      return {}
    })
  },
})
