/** Who is calling: HTTP Basic with an address and an API key. */
import type { RealmContext } from '../context.ts'
import { type Me, userByEmail } from '../features/users/access.ts'
import { sameSecret } from '../services/passwords.ts'
import {
  InvalidApiKeyError,
  RealmDeactivatedError,
  UnauthorizedError,
  UserDeactivatedError,
} from './errors.ts'

/**
 * @returns the user, or null when no credentials were sent
 * @throws UnauthorizedError and its kinds when they are not those of an active user of this realm
 */
export function authenticate(ctx: RealmContext, authorization: string | undefined): Me | null {
  if (authorization === undefined || authorization === '') return null
  const { email, apiKey } = parseBasic(authorization)
  const user = userByEmail(ctx.db, email)
  // Compared in any case, so that the time does not tell which addresses exist.
  const right = sameSecret(apiKey, user?.api_key ?? '-'.repeat(32))
  if (!user || !right) throw new InvalidApiKeyError()
  if (ctx.realm.isDeactivated) throw new RealmDeactivatedError()
  if (!user.is_active) throw new UserDeactivatedError()
  return user
}

function parseBasic(authorization: string): { email: string; apiKey: string } {
  const encoded = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1]
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.lastIndexOf(':')
  if (colon < 1) throw new UnauthorizedError('Invalid authorization header for basic auth')
  return { email: decoded.slice(0, colon), apiKey: decoded.slice(colon + 1) }
}
