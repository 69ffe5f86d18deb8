import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { channelToSee } from '../channels/access.ts'
import { nameTopic } from '../messages/topics.ts'
import { setVisibility } from './actions.ts'
import { Visibility, visibilityOf } from './store.ts'

export const setUserTopic = defineRoute({
  id: 'update-user-topic',
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  caller: 'user',
  params: {
    stream_id: text(z.int()),
    topic: text(z.string()),
    visibility_policy: text(z.literal([0, 1, 2, 3]), {
      description: '0 none, 1 muted, 2 unmuted, 3 followed.',
    }),
  },
  result: z.object({}),
  run: (ctx, me, { stream_id, topic, visibility_policy }) =>
    ctx.transact((tx) => {
      const place = { channelId: stream_id, topic: nameTopic(topic) }
      // A choice can be taken back also where one may no longer look.
      const isTakenBack = visibility_policy === Visibility.none && visibilityOf(tx, me.id, place) !== 0
      if (!isTakenBack) channelToSee(ctx, tx, me, stream_id)
      setVisibility(ctx, tx, me.id, place, visibility_policy)
      return {}
    }),
})
