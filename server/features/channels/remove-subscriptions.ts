import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json } from '../../http/params.ts'
import type { Me } from '../users/access.ts'
import { ChannelAccess } from './access.ts'
import { unsubscribe } from './actions.ts'
import { ChannelDoesNotExistError } from './errors.ts'
import { Principals, principalsOf } from './principals.ts'
import { channelByName } from './store.ts'

export const removeSubscriptions = defineRoute({
  id: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe oneself or others',
  caller: 'user',
  params: { subscriptions: json(z.array(z.string())), principals: json(Principals.optional()) },
  result: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  run: (ctx, me, params) => ctx.transact((tx) => unsubscribeByName(ctx, tx, me, params)),
})

/** @throws ChannelDoesNotExistError; BadRequestError where `me` may not unsubscribe the others */
export function unsubscribeByName(
  ctx: RealmContext,
  tx: Tx,
  me: Me,
  {
    subscriptions,
    principals,
  }: { subscriptions: readonly string[]; principals?: z.output<typeof Principals> | undefined },
): { removed: string[]; not_removed: string[] } {
  const access = new ChannelAccess(ctx, tx, me)
  const users = principalsOf(tx, me, principals)
  const channels = [...new Set(subscriptions)].map((name) => {
    const channel = channelByName(tx, name)
    if (!channel || !access.maySee(channel)) throw new ChannelDoesNotExistError(name)
    return channel
  })
  const others = users.some((user) => user.id !== me.id && user.bot_owner_id !== me.id)
  if (others && !channels.every((channel) => access.mayUnsubscribeOthers(channel))) {
    throw new BadRequestError('Insufficient permission')
  }
  const removed: string[] = []
  const not_removed: string[] = []
  for (const channel of channels) {
    const list = unsubscribe(ctx, tx, channel, users).length > 0 ? removed : not_removed
    list.push(channel.name)
  }
  return { removed, not_removed }
}
