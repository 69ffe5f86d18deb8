import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'

export const signOut = defineRoute({
  id: 'admin-sign-out',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  caller: 'admin page',
  params: {},
  result: z.object({}),
  run: (ctx) => {
    ctx.request.setSessionCookie(null)
    return {}
  },
})
