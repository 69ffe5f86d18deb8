/** Who is at the admin page: the holder of the admin token, or an administrator of one realm. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { sameSecret } from '../../services/passwords.ts'

const Session = z.union([
  z.strictObject({ kind: z.literal('operator'), issued_at: z.int() }),
  z.strictObject({
    kind: z.literal('administrator'),
    /** Name of the realm in addresses. */
    realm: z.string(),
    user_id: z.int(),
    issued_at: z.int(),
  }),
])
export type AdminSession = z.output<typeof Session>
type NewSession = { kind: 'operator' } | { kind: 'administrator'; realm: string; user_id: number }

const LIFETIME_SECONDS = 7 * 86_400

/**
 * Sessions live in their cookie, signed with the admin token: they outlast a restart, and all end when the token is
 * replaced. Whether an administrator still is one is asked at each request.
 */
export class AdminSessions {
  /** @param now milliseconds since the epoch */
  constructor(
    private readonly token: string,
    private readonly now: () => number,
  ) {}

  isToken(given: string): boolean {
    return sameSecret(given, this.token)
  }

  /** @returns the cookie's value */
  issue(session: NewSession): string {
    const content = Buffer.from(JSON.stringify({ ...session, issued_at: Math.floor(this.now() / 1000) }))
    return `${content.toString('base64url')}.${this.sign(content)}`
  }

  /** @returns null for a cookie that was not issued here or has run out */
  read(cookie: string): AdminSession | null {
    const [encoded = '', signature = ''] = cookie.split('.')
    const content = Buffer.from(encoded, 'base64url')
    if (!sameSecret(signature, this.sign(content))) return null
    const session = Session.parse(JSON.parse(content.toString()))
    return session.issued_at + LIFETIME_SECONDS < this.now() / 1000 ? null : session
  }

  private sign(content: Buffer): string {
    return createHmac('sha256', this.token).update(content).digest('base64url')
  }
}
