import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { deactivateUser } from '../users/actions.ts'
import { botToManage } from './access.ts'

export const deactivateBot = defineRoute({
  id: 'deactivate-bot',
  method: 'DELETE',
  path: '/bots/{bot_id}',
  summary: 'Deactivate a bot; for its owner and administrators',
  caller: 'user',
  params: { bot_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { bot_id }) =>
    ctx.transact((tx) => {
      const bot = botToManage(tx, me, bot_id)
      if (bot.is_active) deactivateUser(ctx, tx, bot)
      return {}
    }),
})
