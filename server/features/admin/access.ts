/** Who may use the admin page, and on what. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'
import { RealmContext, type RequestContext, type Server } from '../../context.ts'
import { hostName } from '../../http/address.ts'
import { ForbiddenError, NotFoundError } from '../../http/errors.ts'
import { realmByStringId, type Realm } from '../realms/store.ts'
import type { User } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { userById } from '../users/store.ts'
import { SignInRequiredError } from './errors.ts'
import type { AdminSession } from './sessions.ts'

const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::1', 'ipv6')
thisMachine.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

export const isThisMachine = (address: string): boolean =>
  thisMachine.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Refuses other machines unless they were let in, and pages of other origins always: a foreign web page must not
 * reach the admin page through its visitor's browser, nor through a name of its own that resolves to this machine.
 * @throws ForbiddenError
 */
export function assertAdminMayEnter(server: Server, req: IncomingMessage): void {
  if (!isThisMachine(req.socket.remoteAddress ?? '') && !server.config.adminFromOtherMachines) {
    throw new ForbiddenError('The admin page is open on the machine that runs the server only.')
  }
  if (!isOwnName(hostName(req.headers.host))) {
    throw new ForbiddenError(
      'The admin page does not answer under this name. Use the address of the machine.',
    )
  }
  const { origin } = req.headers
  if (origin !== undefined && req.method !== 'GET' && !sameHost(origin, req.headers.host)) {
    throw new ForbiddenError('The admin page takes no requests from other sites.')
  }
}

/** Names that no stranger can register: numbers, this machine's own, and those of private networks. */
function isOwnName(name: string | undefined): boolean {
  if (name === undefined) return false
  const own = hostname().toLowerCase()
  return (
    isIP(name) !== 0 ||
    name === 'localhost' ||
    name === own ||
    name.startsWith(`${own}.`) ||
    /\.(localhost|local|lan|internal|home\.arpa)$/.test(name)
  )
}

function sameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}

/** Cookies do not tell ports apart, so that the name has to: two servers on one machine are two sign-ins. */
export const sessionCookie = (server: Server): string => `parley_admin_${new URL(server.url()).port}`

/** The session of a request, by cookie, or by the token itself as commands send it. */
export function adminSessionOf(server: Server, req: IncomingMessage): AdminSession | null {
  const bearer = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) {
    if (!server.adminSessions.isToken(bearer))
      throw new SignInRequiredError('This is not the admin token of the server.')
    return { kind: 'operator', issued_at: Math.floor(server.now() / 1000) }
  }
  const name = `${sessionCookie(server)}=`
  const cookie = (req.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  const session =
    cookie === undefined ? null : server.adminSessions.read(decodeCookie(cookie.slice(name.length)))
  if (session?.kind !== 'administrator') return session
  return administratorOf(server, session) ? session : null
}

/** What is not encoded as cookies are is no session either. */
function decodeCookie(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** The user behind an administrator's session, while they are an active administrator. */
function administratorOf(
  server: Server,
  session: AdminSession & { kind: 'administrator' },
): { realm: Realm; user: User } | null {
  const realm = realmByStringId(server.database, session.realm)
  const user = realm && userById(new RealmContext(server, realm).db, session.user_id)
  return realm && user?.is_active && isAdministrator(user) ? { realm, user } : null
}

/** A realm that this session may manage. @throws NotFoundError for any other */
export function realmToManage(ctx: RequestContext, session: AdminSession, name: string): RealmContext {
  const realm = realmByStringId(ctx.server.database, name)
  if (!realm || (session.kind === 'administrator' && session.realm !== name)) {
    throw new NotFoundError(`There is no organization '${name}'`)
  }
  return ctx.inRealm(realm)
}

/** The user as whom a session acts in its realm; null for the operator, who is above all of them. */
export function actingUser(ctx: RequestContext, session: AdminSession): User | null {
  if (session.kind === 'operator') return null
  const found = administratorOf(ctx.server, session)
  if (!found) throw new SignInRequiredError()
  return found.user
}

/** @throws ForbiddenError for a realm's administrator */
export function assertOperator(session: AdminSession): void {
  if (session.kind !== 'operator') throw new ForbiddenError('This takes the admin link of the server.')
}
