import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertAdministrator } from '../users/access.ts'
import { setRealmPicture } from './pictures.ts'

export const deleteIcon = defineRoute({
  id: 'delete-icon',
  method: 'DELETE',
  path: '/realm/icon',
  summary: 'Go back to the icon that the server draws; for administrators',
  caller: 'user',
  params: {},
  result: z.object({}),
  run: (ctx, me) => {
    assertAdministrator(me)
    ctx.transact((tx) => setRealmPicture(ctx, tx, 'icon', null))
    return {}
  },
})
