import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { addField } from './actions.ts'
import { fieldParams } from './fields.ts'
import { FieldTypeNumber } from './types.ts'

export const createProfileField = defineRoute({
  id: 'create-custom-profile-field',
  method: 'POST',
  path: '/realm/profile_fields',
  summary: 'Add a custom profile field; for administrators',
  caller: 'user',
  params: { field_type: text(FieldTypeNumber), ...fieldParams },
  result: z.object({ id: z.int() }),
  run: (ctx, me, { field_type, ...given }) => {
    assertAdministrator(me)
    return ctx.transact((tx) => ({ id: addField(tx, field_type, given) }))
  },
})
