import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertHuman } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { changeProfile } from './actions.ts'
import { GivenValue } from './types.ts'

export const updateOwnProfile = defineRoute({
  id: 'update-own-profile-data',
  method: 'PATCH',
  path: '/users/me/profile_data',
  summary: "Write into the custom fields of one's own profile",
  caller: 'user',
  params: { data: json(z.array(z.strictObject({ id: z.int(), value: GivenValue }))) },
  result: z.object({}),
  run: (ctx, me, { data }) => {
    assertHuman(me)
    return ctx.transact((tx) => {
      changeProfile(ctx, tx, me, data, (field) => field.editable_by_user === 1 || isAdministrator(me))
      return {}
    })
  },
})
