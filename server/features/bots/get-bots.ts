import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertHuman } from '../users/access.ts'
import { BotObject, presentBot } from './present.ts'
import { botsOf } from './store.ts'

export const getBots = defineRoute({
  id: 'get-bots',
  method: 'GET',
  path: '/bots',
  summary: "One's own active bots",
  caller: 'user',
  params: {},
  result: z.object({ bots: z.array(BotObject) }),
  run: (ctx, me) => {
    assertHuman(me)
    const active = botsOf(ctx.db, me.id).filter((bot) => bot.is_active)
    return { bots: active.map((bot) => presentBot(ctx, ctx.db, bot)) }
  },
})
