import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { AuthenticationFailedError, BadRequestError, ForbiddenError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { realmByStringId } from '../realms/store.ts'
import { signInByPassword } from '../users/fetch-api-key.ts'
import { isAdministrator } from '../users/roles.ts'
import { SignInRequiredError } from './errors.ts'

export const SessionInfo = z.strictObject({
  kind: z.enum(['operator', 'administrator']),
  realm: z.string().nullable(),
  email: z.string().nullable(),
})
const operator = { kind: 'operator', realm: null, email: null } as const

export const signIn = defineRoute({
  id: 'admin-sign-in',
  method: 'POST',
  path: '/session',
  summary: 'Sign in with the admin link of the server, or as the administrator of an organization',
  caller: 'admin page',
  params: {
    token: text(z.string().optional()),
    realm: text(z.string().optional()),
    email: text(z.string().optional()),
    password: text(z.string().optional()),
  },
  result: z.object({ session: SessionInfo }),
  run: async (ctx, _session, { token, realm, email, password }) => {
    const { adminSessions } = ctx.server
    if (token !== undefined) {
      if (!adminSessions.isToken(token))
        throw new SignInRequiredError('This admin link is not valid any more.')
      ctx.request.setSessionCookie(adminSessions.issue({ kind: 'operator' }))
      return { session: operator }
    }
    if (realm === undefined || email === undefined || password === undefined) {
      throw new BadRequestError('Sign in with the admin link, or with organization, email and password.')
    }
    const user_id = await signInAsAdministrator(ctx, realm, email, password)
    ctx.request.setSessionCookie(adminSessions.issue({ kind: 'administrator', realm, user_id }))
    return { session: { kind: 'administrator' as const, realm, email } }
  },
})

async function signInAsAdministrator(ctx: RequestContext, name: string, email: string, password: string) {
  const realm = realmByStringId(ctx.server.database, name)
  if (!realm) throw new AuthenticationFailedError()
  const user = await signInByPassword(ctx, ctx.inRealm(realm), email, password)
  if (!isAdministrator(user)) throw new ForbiddenError('This page is for administrators of the organization.')
  return user.id
}
