import { z } from 'zod'
import { BadEventQueueIdError } from '../../events/errors.ts'
import { defineRoute, JsonMembers, LaterReply } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { registerParams, registerQueue } from './queue.ts'

export const getEvents = defineRoute({
  id: 'get-events',
  method: 'GET',
  path: '/events',
  summary: 'Events of a queue, waiting for one where there is none yet',
  caller: 'user',
  params: {
    queue_id: text(z.string().optional(), { description: 'Without it a queue is registered.' }),
    last_event_id: text(z.int().optional(), { description: 'Acknowledges the events up to this one.' }),
    dont_block: text(z.boolean().default(false)),
    ...registerParams,
  },
  result: z.object({
    events: z.array(z.looseObject({ id: z.int(), type: z.string() })),
    queue_id: z.string(),
  }),
  run: (ctx, me, { queue_id, last_event_id, dont_block, ...params }) => {
    // A client cannot wait for a queue whose id it has not been told.
    if (queue_id === undefined) return { events: [], queue_id: registerQueue(ctx, me, params).queue_id }
    const { hub } = ctx.server
    const { request } = ctx
    const onGone = (listener: () => void) => request.onGone(listener)
    const owner = { realmId: ctx.realm.id, userId: me.id }
    const options = { lastEventId: last_event_id, block: !dont_block, onGone }
    return new LaterReply((reply) =>
      hub.poll(queue_id, owner, options, (outcome) => {
        const isEnd = outcome instanceof BadEventQueueIdError
        reply(isEnd ? outcome : new JsonMembers(`"events":[${outcome.join(',')}],"queue_id":"${queue_id}"`))
      }),
    )
  },
})
