import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { userToSee } from '../users/access.ts'
import { muteUser as mute, tellOfMutes } from './actions.ts'
import { deleteMute, mutedBy } from './store.ts'

export const muteUser = defineRoute({
  id: 'mute-user',
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'Mute a user',
  caller: 'user',
  params: { muted_user_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { muted_user_id }) =>
    ctx.transact((tx) => {
      if (muted_user_id === me.id) throw new BadRequestError('Cannot mute self')
      const user = userToSee(ctx, tx, me, muted_user_id)
      if (mutedBy(tx, me.id).some(({ id }) => id === user.id)) throw new BadRequestError('User already muted')
      mute(tx, me, user)
      return {}
    }),
})

export const unmuteUser = defineRoute({
  id: 'unmute-user',
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  summary: 'No longer mute a user',
  caller: 'user',
  params: { muted_user_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { muted_user_id }) =>
    ctx.transact((tx) => {
      if (!deleteMute(tx, me.id, muted_user_id)) throw new BadRequestError('User is not muted')
      tellOfMutes(tx, me)
      return {}
    }),
})
