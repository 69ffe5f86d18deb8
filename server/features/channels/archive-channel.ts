import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { channelToAdminister } from './access.ts'
import { archiveChannel as archive } from './actions.ts'

export const archiveChannel = defineRoute({
  id: 'archive-stream',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  caller: 'user',
  params: { stream_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { stream_id }) =>
    ctx.transact((tx) => {
      const channel = channelToAdminister(ctx, tx, me, stream_id)
      if (channel.is_archived) throw new BadRequestError('Channel is already archived')
      archive(ctx, tx, me, channel)
      return {}
    }),
})
