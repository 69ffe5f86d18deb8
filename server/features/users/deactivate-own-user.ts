import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertHuman } from './access.ts'
import { deactivateUser } from './actions.ts'

export const deactivateOwnUser = defineRoute({
  id: 'deactivate-own-user',
  method: 'DELETE',
  path: '/users/me',
  summary: "Deactivate one's own account",
  caller: 'user',
  params: {},
  result: z.object({}),
  run: (ctx, me) => {
    assertHuman(me)
    return ctx.transact((tx) => {
      deactivateUser(ctx, tx, me)
      return {}
    })
  },
})
