import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { existingField, removeField } from './actions.ts'

export const deleteProfileField = defineRoute({
  id: 'delete-custom-profile-field',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Remove a custom profile field and what people wrote in it; for administrators',
  caller: 'user',
  params: { field_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { field_id }) => {
    assertAdministrator(me)
    return ctx.transact((tx) => {
      removeField(tx, existingField(tx, field_id))
      return {}
    })
  },
})
