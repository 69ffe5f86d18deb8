import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { removeLinkifier as remove } from './actions.ts'

export const removeLinkifier = defineRoute({
  id: 'remove-linkifier',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  caller: 'user',
  params: { filter_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { filter_id }) => {
    assertAdministrator(me)
    ctx.transact((tx) => remove(tx, filter_id))
    return {}
  },
})
