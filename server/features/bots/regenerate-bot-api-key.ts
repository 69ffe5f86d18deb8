import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { botToManage } from './access.ts'
import { regenerateBotKey } from './actions.ts'

export const regenerateBotApiKey = defineRoute({
  id: 'regenerate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id}/api_key/regenerate',
  summary: 'Give a bot a new API key and end the old one; for its owner and administrators',
  caller: 'user',
  params: { bot_id: path(z.int()) },
  result: z.object({ api_key: z.string() }),
  run: (ctx, me, { bot_id }) =>
    ctx.transact((tx) => ({ api_key: regenerateBotKey(ctx, tx, botToManage(tx, me, bot_id)) })),
})
