import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { ChannelAccess } from './access.ts'
import { channelByName } from './store.ts'

export const getChannelId = defineRoute({
  id: 'get-stream-id',
  method: 'GET',
  path: '/get_stream_id',
  summary: 'The id of the channel of that name',
  caller: 'user',
  params: { stream: text(z.string()) },
  result: z.object({ stream_id: z.int() }),
  run: (ctx, me, { stream }) => {
    const channel = channelByName(ctx.db, stream)
    if (!channel || !new ChannelAccess(ctx, ctx.db, me).maySee(channel)) {
      throw new BadRequestError(`Invalid channel name '${stream}'`)
    }
    return { stream_id: channel.id }
  },
})
