import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { orderLinkifiers } from './actions.ts'

export const reorderLinkifiers = defineRoute({
  id: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Change the order in which linkifiers apply',
  caller: 'user',
  params: { ordered_linkifier_ids: json(z.array(z.int())) },
  result: z.object({}),
  run: (ctx, me, { ordered_linkifier_ids }) => {
    assertAdministrator(me)
    ctx.transact((tx) => orderLinkifiers(tx, ordered_linkifier_ids))
    return {}
  },
})
