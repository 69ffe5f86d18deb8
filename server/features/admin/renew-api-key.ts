import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { NotFoundError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { type Me, type User, userToAdminister } from '../users/access.ts'
import { regenerateApiKey } from '../users/actions.ts'
import { userById } from '../users/store.ts'
import { actingUser, realmToManage } from './access.ts'

export const renewApiKey = defineRoute({
  id: 'admin-renew-api-key',
  method: 'POST',
  path: '/realms/{name}/users/{user_id}/api_key',
  summary: 'Give a user a new API key and end the old one',
  caller: 'admin',
  params: { name: path(z.string()), user_id: path(z.int()) },
  result: z.object({ api_key: z.string() }),
  run: (ctx, session, { name, user_id }) => {
    const target = realmToManage(ctx, session, name)
    const me = actingUser(ctx, session)
    return target.transact((tx) => ({ api_key: regenerateApiKey(target, tx, managedUser(tx, me, user_id)) }))
  },
})

/** A user whom an administrator may change, or the operator (null), who may change anybody. */
export function managedUser(db: Reader, me: Me | null, id: number): User {
  if (me) return userToAdminister(db, me, id)
  const user = userById(db, id)
  if (!user || user.is_system_bot) throw new NotFoundError('No such user')
  return user
}
