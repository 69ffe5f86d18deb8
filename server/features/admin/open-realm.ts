import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { NotFoundError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { isOwner } from '../users/roles.ts'
import { activePeople } from '../users/store.ts'
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
    const user = actingUser(ctx, session) ?? activePeople(db).find((one) => !one.is_bot && isOwner(one))
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
