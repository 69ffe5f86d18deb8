/** Registration tokens of people's phones. They are kept for a push service; this server calls none. */
import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'

const Token = z.string().min(1, 'Empty or invalid length token').max(4096, 'Empty or invalid length token')

export const addDeviceToken = defineRoute({
  id: 'add-push-reg-id',
  method: 'POST',
  path: '/users/me/device_push_reg_id',
  summary: 'Register a device for push notifications',
  caller: 'user',
  params: { token: text(Token) },
  result: z.object({}),
  run: (ctx, me, { token }) =>
    ctx.transact((tx) => {
      tx.runSql(
        `INSERT INTO device_tokens (realm_id, user_id, token, date_created) VALUES (:realm, ?, ?, ?)
         ON CONFLICT (user_id, token) DO NOTHING`,
        [me.id, token, tx.now],
      )
      return {}
    }),
})

export const removeDeviceToken = defineRoute({
  id: 'remove-push-reg-id',
  method: 'DELETE',
  path: '/users/me/device_push_reg_id',
  summary: 'Remove the registration of a device',
  caller: 'user',
  params: { token: text(Token) },
  result: z.object({}),
  run: (ctx, me, { token }) =>
    ctx.transact((tx) => {
      const query = tx.q.deleteFrom('device_tokens').where('user_id', '=', me.id).where('token', '=', token)
      if (tx.run(query) === 0) throw new BadRequestError('Token does not exist')
      return {}
    }),
})
