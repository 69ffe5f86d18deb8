import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { ChannelAccess } from '../channels/access.ts'
import { type Channel, channelById } from '../channels/store.ts'
import type { Me } from '../users/access.ts'
import { deleteMessages } from './delete-actions.ts'
import { messagesOfTopic } from './edit-store.ts'
import { UnauthorizedPrincipalError } from './errors.ts'
import { nameTopic } from './topics.ts'

/** Messages that one transaction deletes: others need not wait long for their turn. */
const BATCH = 500
/** After this many milliseconds the rest is left to the client's next request. */
const PATIENCE = 10_000

export const deleteTopic = defineRoute({
  id: 'delete-topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  summary: 'Delete all messages of a topic, the newest first',
  caller: 'user',
  params: { stream_id: path(z.int()), topic_name: text(z.string()) },
  result: z.object({ complete: z.boolean() }),
  run: async (ctx, me, { stream_id, topic_name }) => {
    const topic = nameTopic(topic_name)
    const until = performance.now() + PATIENCE
    for (;;) {
      const rest = ctx.transact((tx) => {
        const channel = channelToDeleteFrom(ctx, me, stream_id)
        const ids = messagesOfTopic(tx, me, channel, topic).map(({ id }) => id)
        deleteMessages(ctx, tx, ids.slice(-BATCH))
        return Math.max(ids.length - BATCH, 0)
      })
      if (rest === 0) return { complete: true }
      if (performance.now() > until) return { complete: false }
      await setImmediate()
    }
  },
})

/** @throws UnauthorizedPrincipalError for who may not delete anybody's messages, BadRequestError */
function channelToDeleteFrom(ctx: RequestContext, me: Me, id: number): Channel {
  const access = new ChannelAccess(ctx, ctx.db, me)
  const channel = channelById(ctx.db, id)
  if (!channel || !access.mayRead(channel)) throw new BadRequestError('Invalid channel ID')
  if (!access.holdsOfRealm('can_delete_any_message_group')) throw new UnauthorizedPrincipalError()
  return channel
}
