import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { hasOpenHistory } from '../messages/access.ts'
import { topicsOfChannel } from '../messages/store.ts'
import { shownTopic } from '../messages/topics.ts'
import { ChannelAccess } from './access.ts'
import { channelById } from './store.ts'

export const getTopics = defineRoute({
  id: 'get-stream-topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'The topics of a channel that the user may read, the most recent first',
  caller: 'user',
  params: { stream_id: path(z.int()), allow_empty_topic_name: text(z.boolean().default(false)) },
  result: z.object({ topics: z.array(z.strictObject({ name: z.string(), max_id: z.int() })) }),
  run: (ctx, me, { stream_id, allow_empty_topic_name }) => {
    const channel = channelById(ctx.db, stream_id)
    if (!channel || !new ChannelAccess(ctx, ctx.db, me).mayRead(channel)) {
      throw new BadRequestError('Invalid channel ID')
    }
    const rows = topicsOfChannel(ctx.db, channel.id, hasOpenHistory(channel) ? null : me.id)
    return {
      topics: rows.map(({ topic, max_id }) => ({ name: shownTopic(topic, allow_empty_topic_name), max_id })),
    }
  },
})
