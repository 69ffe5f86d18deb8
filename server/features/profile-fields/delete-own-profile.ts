import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertHuman } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { changeProfile } from './actions.ts'

export const deleteOwnProfile = defineRoute({
  id: 'delete-own-profile-data',
  method: 'DELETE',
  path: '/users/me/profile_data',
  summary: "Clear custom fields of one's own profile",
  caller: 'user',
  params: { data: json(z.array(z.int()), { description: 'Ids of fields.' }) },
  result: z.object({}),
  run: (ctx, me, { data }) => {
    assertHuman(me)
    return ctx.transact((tx) => {
      const emptied = data.map((id) => ({ id, value: '' }))
      changeProfile(ctx, tx, me, emptied, (field) => field.editable_by_user === 1 || isAdministrator(me))
      return {}
    })
  },
})
