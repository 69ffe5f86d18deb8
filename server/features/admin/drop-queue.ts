import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { NotFoundError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { realmById } from '../realms/store.ts'

export const dropQueue = defineRoute({
  id: 'admin-drop-queue',
  method: 'DELETE',
  path: '/queues/{queue_id}',
  summary: 'End an event queue; its client registers again',
  caller: 'admin',
  params: { queue_id: path(z.string()) },
  result: z.object({}),
  run: ({ server }, session, { queue_id }) => {
    const queue = [...server.hub.all()].find(({ id }) => id === queue_id)
    const realm = queue && realmById(server.database, queue.realmId)
    if (!queue || (session.kind === 'administrator' && session.realm !== realm?.stringId)) {
      throw new NotFoundError('There is no such queue')
    }
    server.hub.remove(queue)
    return {}
  },
})
