import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { channelToSee } from './access.ts'
import { surroundings } from './actions.ts'
import { ChannelObject, presentChannel } from './present.ts'

export const getChannel = defineRoute({
  id: 'get-stream-by-id',
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'A channel',
  caller: 'user',
  params: { stream_id: path(z.int()) },
  result: z.object({ stream: ChannelObject }),
  run: (ctx, me, { stream_id }) => {
    const channel = channelToSee(ctx, ctx.db, me, stream_id)
    return { stream: presentChannel(channel, surroundings(ctx.db, ctx.server.now() / 1000)) }
  },
})
