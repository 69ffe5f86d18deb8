import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { changeSubscription } from './subscription-settings.ts'

/** Unknown properties and values of the wrong kind are told apart from what is not JSON of this shape. */
const Change = z.strictObject({
  stream_id: z.int(),
  property: z.string(),
  value: z.union([z.boolean(), z.string()]),
})

export const updateSubscriptionProperties = defineRoute({
  id: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: "Change one's own settings for channels: colour, muting, pinning, notifications",
  caller: 'user',
  params: { subscription_data: json(z.array(Change)) },
  result: z.object({}),
  run: (ctx, me, { subscription_data }) =>
    ctx.transact((tx) => {
      for (const { stream_id, property, value } of subscription_data) {
        changeSubscription(tx, me.id, stream_id, property, value)
      }
      return {}
    }),
})
