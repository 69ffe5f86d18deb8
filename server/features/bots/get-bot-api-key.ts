import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { botToManage } from './access.ts'

export const getBotApiKey = defineRoute({
  id: 'get-bot-api-key',
  method: 'GET',
  path: '/bots/{bot_id}/api_key',
  summary: 'The API key of a bot; for its owner and administrators',
  caller: 'user',
  params: { bot_id: path(z.int()) },
  result: z.object({ api_key: z.string() }),
  run: (ctx, me, { bot_id }) => ({ api_key: botToManage(ctx.db, me, bot_id).api_key }),
})
