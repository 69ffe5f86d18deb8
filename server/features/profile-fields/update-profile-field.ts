import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { changeField, existingField } from './actions.ts'
import { fieldParams } from './fields.ts'

export const updateProfileField = defineRoute({
  id: 'update-custom-profile-field',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  summary: 'Change a custom profile field; for administrators',
  caller: 'user',
  params: { field_id: path(z.int()), ...fieldParams },
  result: z.object({}),
  run: (ctx, me, { field_id, ...given }) => {
    assertAdministrator(me)
    return ctx.transact((tx) => {
      changeField(ctx, tx, existingField(tx, field_id), given)
      return {}
    })
  },
})
