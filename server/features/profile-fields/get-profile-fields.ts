import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { presentFields, ProfileFieldObject } from './present.ts'

export const getProfileFields = defineRoute({
  id: 'get-custom-profile-fields',
  method: 'GET',
  path: '/realm/profile_fields',
  summary: 'The custom profile fields',
  caller: 'user',
  params: {},
  result: z.object({ custom_fields: z.array(ProfileFieldObject) }),
  run: (ctx) => ({ custom_fields: presentFields(ctx.db) }),
})
