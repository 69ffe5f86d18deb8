import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { AuthenticationFailedError, RealmDeactivatedError, UserDeactivatedError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { isMethodEnabled } from '../realms/present.ts'
import { verifyPassword } from '../../services/passwords.ts'
import type { Realm } from '../realms/store.ts'
import { type User, userByEmail } from './access.ts'
import { PasswordAuthDisabledError } from './errors.ts'
import { emailKey } from './store.ts'

export const ApiKeyReply = z.object({ api_key: z.string(), email: z.string(), user_id: z.int() })

export const fetchApiKey = defineRoute({
  id: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Sign in with a password: answers the API key',
  caller: 'anyone',
  params: { username: text(z.string()), password: text(z.string()) },
  result: ApiKeyReply,
  run: async (ctx, _me, { username, password }) => {
    const user = await signInByPassword(ctx, ctx, username, password)
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.id }
  },
})

/** Whose guesses of whose password are counted together. */
export const signInKey = (realm: Realm, emailKeyOf: string, address: string): string =>
  `${realm.id} ${emailKeyOf} ${address}`

/**
 * Checks a password, slowing down whoever guesses.
 * @throws AuthenticationFailedError, PasswordAuthDisabledError, RateLimitError, UserDeactivatedError,
 *   RealmDeactivatedError
 */
export async function signInByPassword(
  { server, request }: RequestContext,
  { db, realm }: Pick<RequestContext, 'db' | 'realm'>,
  username: string,
  password: string,
): Promise<User> {
  const user = userByEmail(db, username)
  // However the account is named, its tries are counted together.
  const key = signInKey(realm, user?.email_key ?? emailKey(username), request.address)
  if (!server.config.dev) await server.signInThrottle.take(key)
  const right = await verifyPassword(password, user?.password_hash ?? null)
  if (!user || user.is_bot || !right) throw new AuthenticationFailedError()
  await server.signInThrottle.forget(key)
  if (!isMethodEnabled(server, realm.settings, 'Email')) throw new PasswordAuthDisabledError()
  if (realm.isDeactivated) throw new RealmDeactivatedError()
  if (!user.is_active) throw new UserDeactivatedError()
  return user
}
