import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { userById } from '../users/store.ts'
import { channelToSee } from './access.ts'
import { isSubscribedTo } from './store.ts'

export const getSubscriptionStatus = defineRoute({
  id: 'get-subscription-status',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Whether a user is subscribed to a channel',
  caller: 'user',
  params: { user_id: path(z.int()), stream_id: path(z.int()) },
  result: z.object({ is_subscribed: z.boolean() }),
  run: (ctx, me, { user_id, stream_id }) => {
    const user = userById(ctx.db, user_id)
    if (!user || user.is_system_bot) throw new BadRequestError('No such user')
    const channel = channelToSee(ctx, ctx.db, me, stream_id)
    return { is_subscribed: user.is_active === 1 && isSubscribedTo(ctx.db, user.id, channel.id) }
  },
})
