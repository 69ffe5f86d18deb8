import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertHuman } from './access.ts'
import { regenerateApiKey } from './actions.ts'

export const regenerateOwnApiKey = defineRoute({
  id: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Give oneself a new API key and end the old one, with every queue it opened',
  caller: 'user',
  params: {},
  result: z.object({ api_key: z.string() }),
  run: (ctx, me) => {
    assertHuman(me)
    return ctx.transact((tx) => ({ api_key: regenerateApiKey(ctx, tx, me) }))
  },
})
