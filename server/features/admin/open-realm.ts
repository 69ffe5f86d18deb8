import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { NotFoundError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { Role } from '../users/roles.ts'
import { actingUser, realmToManage } from './access.ts'

export const openRealm = defineRoute({
  id: 'admin-open-realm',
  method: 'POST',
  path: '/realms/{name}/access',
  summary:
    'Credentials for the ordinary API of an organization, as its owner or as the administrator signed in',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({
    base_url: z.string(),
    user_id: z.int(),
    email: z.string(),
    api_key: z.string(),
    role: z.int(),
  }),
  run: (ctx, session, { name }) => {
    const { db, realm } = realmToManage(ctx, session, name)
    const firstOwner = db.q
      .selectFrom('users')
      .selectAll()
      .where('role', '=', Role.owner)
      .where('is_active', '=', 1)
      .where('is_bot', '=', 0)
      .orderBy('id')
      .limit(1)
    const user = actingUser(ctx, session) ?? db.first(firstOwner)
    if (!user) throw new NotFoundError('This organization has no owner')
    return {
      base_url: `${ctx.request.realmUrl}/r/${realm.stringId}`,
      user_id: user.id,
      email: user.delivery_email,
      api_key: user.api_key,
      role: user.role,
    }
  },
})
