import { z } from 'zod'
import { defineRoute, jsonMembers } from '../../http/define-route.ts'
import { registerParams, registerQueue } from './queue.ts'
import { spectatorSnapshot } from './spectators.ts'

export const register = defineRoute({
  id: 'register-queue',
  method: 'POST',
  path: '/register',
  summary: 'Open an event queue and fetch what it continues from; without an account only the latter',
  caller: 'user or nobody',
  params: registerParams,
  result: z.looseObject({
    queue_id: z.string().nullable(),
    last_event_id: z.int(),
    svc_feature_level: z.int(),
    svc_version: z.string(),
    svc_merge_base: z.string(),
  }),
  run: (ctx, me, params) =>
    me ? jsonMembers(registerQueue(ctx, me, params)) : spectatorSnapshot(ctx, params),
})
