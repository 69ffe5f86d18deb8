import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { registerParams, registerQueue } from './queue.ts'

export const register = defineRoute({
  id: 'register-queue',
  method: 'POST',
  path: '/register',
  summary: 'Open an event queue and fetch what it continues from',
  caller: 'user',
  params: registerParams,
  result: z.looseObject({
    queue_id: z.string(),
    last_event_id: z.int(),
    svc_feature_level: z.int(),
    svc_version: z.string(),
    svc_merge_base: z.string(),
  }),
  run: (ctx, me, params) => registerQueue(ctx, me, params),
})
