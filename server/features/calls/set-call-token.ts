/** Whether a user completed the authorization flow of the video-call provider (specification, `has_call_token`). */
import { z } from 'zod'
import { bit } from '../../db/tables.ts'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { updateUser } from '../users/store.ts'

export const setCallToken = defineRoute({
  id: 'set-call-token',
  method: 'POST',
  path: '/users/me/call_token',
  summary: 'Say whether the video-call provider was authorized',
  caller: 'user',
  params: { value: text(z.boolean()) },
  result: z.object({}),
  run: (ctx, me, { value }) =>
    ctx.transact((tx) => {
      if (me.has_call_token === bit(value)) return {}
      updateUser(tx, me.id, { has_call_token: bit(value) })
      tx.emit({ type: 'has_call_token', value }, { to: [me.id] })
      return {}
    }),
})
