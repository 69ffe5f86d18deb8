import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { setRealmPicture } from './pictures.ts'

export const deleteLogo = defineRoute({
  id: 'delete-logo',
  method: 'DELETE',
  path: '/realm/logo',
  summary: 'Go back to the logo that the server draws; for administrators',
  caller: 'user',
  params: { night: text(z.boolean().default(false), { description: 'The one for dark pages.' }) },
  result: z.object({}),
  run: (ctx, me, { night }) => {
    assertAdministrator(me)
    ctx.transact((tx) => setRealmPicture(ctx, tx, night ? 'night_logo' : 'logo', null))
    return {}
  },
})
