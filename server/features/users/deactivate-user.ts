import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { userToAdminister } from './access.ts'
import { deactivateUser as deactivate } from './actions.ts'

export const deactivateUser = defineRoute({
  id: 'deactivate-user',
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: 'Deactivate a user; for administrators',
  caller: 'user',
  params: {
    user_id: path(z.int()),
    deactivation_notification_comment: text(z.string().max(2000).optional(), {
      description: 'For the mail to the user. This server sends no mail.',
    }),
  },
  result: z.object({}),
  run: (ctx, me, { user_id }) =>
    ctx.transact((tx) => {
      const user = userToAdminister(tx, me, user_id)
      if (user.is_active) deactivate(ctx, tx, user)
      return {}
    }),
})
