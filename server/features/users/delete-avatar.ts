import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { setAvatar } from './avatar-actions.ts'

export const deleteAvatar = defineRoute({
  id: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: 'Go back to the picture that the server draws',
  caller: 'user',
  params: {},
  result: z.object({ avatar_url: z.string() }),
  run: (ctx, me) => ({ avatar_url: ctx.transact((tx) => setAvatar(ctx, tx, me, null)) }),
})
