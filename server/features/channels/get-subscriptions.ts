import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { surroundings } from './actions.ts'
import { presentChannel, presentSubscription, SubscriptionObject } from './present.ts'
import { allChannels, subscriberIdsByChannel, subscriptionsOf } from './store.ts'

export const getSubscriptions = defineRoute({
  id: 'get-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'The channels the user is subscribed to',
  caller: 'user',
  params: { include_subscribers: text(z.boolean().default(false)) },
  result: z.object({ subscriptions: z.array(SubscriptionObject) }),
  run: (ctx, me, { include_subscribers }) => {
    const around = surroundings(ctx.db, ctx.server.now() / 1000)
    const rows = subscriptionsOf(ctx.db, me.id)
    const subscribers = include_subscribers ? subscriberIdsByChannel(ctx.db) : undefined
    return {
      subscriptions: allChannels(ctx.db).flatMap((channel) => {
        const row = rows.get(channel.id)
        if (!row?.is_active || channel.is_archived) return []
        return [
          presentSubscription(
            presentChannel(channel, around),
            row,
            subscribers && (subscribers.get(channel.id) ?? []),
          ),
        ]
      }),
    }
  },
})
