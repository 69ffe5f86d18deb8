import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { realmToManage } from './access.ts'

export const watchActivity = defineRoute({
  id: 'admin-watch-activity',
  method: 'GET',
  path: '/activity',
  summary: 'A stream of what the event queues are doing',
  caller: 'admin',
  params: { realm: text(z.string().optional(), { description: 'Only this organization.' }) },
  result: z.object({}),
  run: (ctx, session, { realm }) => {
    const wanted = realm ?? (session.kind === 'administrator' ? session.realm : undefined)
    if (wanted !== undefined) realmToManage(ctx, session, wanted)
    const stream = ctx.request.openStream()
    const stop = ctx.server.activity.watch({ realm: wanted ?? null, send: stream.send, end: stream.end })
    return new Promise((resolve) => {
      ctx.request.onGone(() => {
        stop()
        resolve({})
      })
    })
  },
})
