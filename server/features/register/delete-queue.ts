import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'

export const deleteQueue = defineRoute({
  id: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  summary: 'End an event queue',
  caller: 'user',
  params: { queue_id: text(z.string()) },
  result: z.object({}),
  run: ({ server, realm }, me, { queue_id }) => {
    server.hub.remove(server.hub.find(queue_id, { realmId: realm.id, userId: me.id }))
    return {}
  },
})
