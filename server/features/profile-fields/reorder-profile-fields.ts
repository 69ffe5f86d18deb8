import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { reorderFields } from './actions.ts'

export const reorderProfileFields = defineRoute({
  id: 'reorder-custom-profile-fields',
  method: 'PATCH',
  path: '/realm/profile_fields',
  summary: 'Put the custom profile fields in another order; for administrators',
  caller: 'user',
  params: { order: json(z.array(z.int()), { description: 'Ids of all fields.' }) },
  result: z.object({}),
  run: (ctx, me, { order }) => {
    assertAdministrator(me)
    return ctx.transact((tx) => {
      reorderFields(tx, order)
      return {}
    })
  },
})
