import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { actingUser } from './access.ts'
import { SessionInfo } from './sign-in.ts'

export const getSession = defineRoute({
  id: 'admin-get-session',
  method: 'GET',
  path: '/session',
  summary: 'Who is signed in',
  caller: 'admin',
  params: {},
  result: z.object({ session: SessionInfo }),
  run: (ctx, session) => ({
    session: {
      kind: session.kind,
      realm: session.kind === 'administrator' ? session.realm : null,
      email: actingUser(ctx, session)?.delivery_email ?? null,
    },
  }),
})
