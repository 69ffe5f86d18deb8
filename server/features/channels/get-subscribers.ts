import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { channelToSee } from './access.ts'
import { subscriberIds } from './store.ts'

export const getSubscribers = defineRoute({
  id: 'get-subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'The subscribers of a channel',
  caller: 'user',
  params: { stream_id: path(z.int()) },
  result: z.object({ subscribers: z.array(z.int()) }),
  run: (ctx, me, { stream_id }) => ({
    subscribers: subscriberIds(ctx.db, channelToSee(ctx, ctx.db, me, stream_id).id),
  }),
})
