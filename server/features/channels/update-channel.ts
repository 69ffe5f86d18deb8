import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { channelToAdminister } from './access.ts'
import { changeDescription, renameChannel } from './actions.ts'
import { ChannelDescription, ChannelName } from './fields.ts'

export const updateChannel = defineRoute({
  id: 'update-stream',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Rename or describe a channel',
  caller: 'user',
  params: {
    stream_id: path(z.int()),
    description: text(ChannelDescription.optional()),
    new_name: text(ChannelName.optional()),
  },
  result: z.object({}),
  run: (ctx, me, { stream_id, description, new_name }) =>
    ctx.transact((tx) => {
      const channel = channelToAdminister(ctx, tx, me, stream_id)
      if (description !== undefined) changeDescription(ctx, tx, channel, description)
      if (new_name !== undefined) renameChannel(ctx, tx, channel, new_name)
      return {}
    }),
})
