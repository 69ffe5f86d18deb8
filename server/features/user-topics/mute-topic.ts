import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError, MissingParameterError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { channelToSee } from '../channels/access.ts'
import { channelByName } from '../channels/store.ts'
import { nameTopic } from '../messages/topics.ts'
import { setVisibility } from './actions.ts'
import { Visibility } from './store.ts'

export const muteTopic = defineRoute({
  id: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute a topic, or no longer (deprecated)',
  caller: 'user',
  params: {
    op: text(z.enum(['add', 'remove'])),
    topic: text(z.string()),
    stream: text(z.string().optional(), { description: 'Name of the channel; or give `stream_id`.' }),
    stream_id: text(z.int().optional()),
  },
  result: z.object({}),
  run: (ctx, me, { op, topic, stream, stream_id }) => {
    if (stream !== undefined && stream_id !== undefined)
      throw new BadRequestError("Please choose one: 'stream' or 'stream_id'.")
    return ctx.transact((tx) => {
      const given = stream_id ?? (stream === undefined ? undefined : (channelByName(tx, stream)?.id ?? -1))
      if (given === undefined) throw new MissingParameterError('stream_id')
      const channel = channelToSee(ctx, tx, me, given)
      const place = { channelId: channel.id, topic: nameTopic(topic) }
      setVisibility(ctx, tx, me.id, place, op === 'add' ? Visibility.muted : Visibility.none)
      return {}
    })
  },
})
