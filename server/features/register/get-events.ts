import { z } from 'zod'
import { defineRoute, JsonMembers } from '../../http/define-route.ts'
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
  run: async (ctx, me, { queue_id, last_event_id, dont_block, ...params }) => {
    // A client cannot wait for a queue whose id it has not been told.
    if (queue_id === undefined) return { events: [], queue_id: registerQueue(ctx, me, params).queue_id }
    const { hub } = ctx.server
    const queue = hub.find(queue_id, { realmId: ctx.realm.id, userId: me.id })
    const { onGone } = ctx.request
    const events = await hub.poll(queue, { lastEventId: last_event_id, block: !dont_block, onGone })
    return new JsonMembers(`"events":[${events.join(',')}],"queue_id":${JSON.stringify(queue.id)}`)
  },
})
