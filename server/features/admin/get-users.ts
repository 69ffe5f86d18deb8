import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { allUsers } from '../users/store.ts'
import { realmToManage } from './access.ts'

export const AdminUser = z.strictObject({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  role: z.int(),
  is_active: z.boolean(),
  is_bot: z.boolean(),
  can_create_users: z.boolean(),
  can_change_user_emails: z.boolean(),
})

export const getUsers = defineRoute({
  id: 'admin-get-users',
  method: 'GET',
  path: '/realms/{name}/users',
  summary: 'Everybody in an organization, with what the server granted them',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({ users: z.array(AdminUser) }),
  run: (ctx, session, { name }) => ({
    users: allUsers(realmToManage(ctx, session, name).db).map((user) => ({
      user_id: user.id,
      email: user.delivery_email,
      full_name: user.full_name,
      role: user.role,
      is_active: user.is_active === 1,
      is_bot: user.is_bot === 1,
      can_create_users: user.can_create_users === 1,
      can_change_user_emails: user.can_change_user_emails === 1,
    })),
  }),
})
