import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json } from '../../http/params.ts'
import { subscribeByName } from './add-subscriptions.ts'
import { ChannelDescription, ChannelName } from './fields.ts'
import { unsubscribeByName } from './remove-subscriptions.ts'
import { channelByName } from './store.ts'
import { changeSubscription, Color } from './subscription-settings.ts'

const Added = z.strictObject({
  name: ChannelName,
  color: Color.optional(),
  description: ChannelDescription.optional(),
})
const NamesByEmail = z.record(z.string(), z.array(z.string()))

export const updateSubscriptions = defineRoute({
  id: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to some channels and unsubscribe from others',
  caller: 'user',
  params: { add: json(z.array(Added).default([])), delete: json(z.array(z.string()).default([])) },
  result: z.object({
    subscribed: NamesByEmail,
    already_subscribed: NamesByEmail,
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
  run: (ctx, me, { add, delete: remove }) =>
    ctx.transact((tx) => {
      if (add.length + remove.length === 0) {
        throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
      }
      const outcome = subscribeByName(ctx, tx, me, {
        subscriptions: add,
        authorization_errors_fatal: true,
        announce: false,
        invite_only: false,
        is_web_public: false,
        is_default_stream: false,
      })
      for (const { name, color } of add) {
        const channel = color === undefined ? undefined : channelByName(tx, name)
        if (channel && color !== undefined) changeSubscription(tx, me.id, channel.id, 'color', color)
      }
      // Here, unlike elsewhere, users are named by their addresses.
      const byEmail = (byId: Record<string, string[]>) =>
        Object.fromEntries(Object.values(byId).map((names) => [me.delivery_email, names]))
      return {
        subscribed: byEmail(outcome.subscribed),
        already_subscribed: byEmail(outcome.already_subscribed),
        ...unsubscribeByName(ctx, tx, me, { subscriptions: remove }),
      }
    }),
})
