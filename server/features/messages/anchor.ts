/** Where in a narrow to look: an anchor and so many messages around it. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import { condition, type Fits } from './narrow/condition.ts'
import { findIds } from './narrow/find.ts'
import { unreadIds } from './unread.ts'

// Clients name ids that can never be, past both ends: 0, -1, 10^16.
export const Anchor = z.union([z.number(), z.enum(['newest', 'oldest', 'first_unread'])])

/** Past every id there will ever be: the anchor of the newest messages. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

/** The id that an anchor stands for: the oldest unread that fits is the first unread, else the newest of all. */
export function resolveAnchor(
  db: Reader,
  me: User | null,
  fits: Fits,
  anchor: z.output<typeof Anchor>,
): number {
  if (typeof anchor === 'number') return Math.min(Math.max(Math.trunc(anchor), 0), AFTER_ALL)
  if (anchor === 'oldest') return 0
  if (anchor === 'newest') return AFTER_ALL
  // To somebody without an account, everything is read.
  if (!me) return AFTER_ALL
  const unread = unreadIds(me.id, fits.conversationId)
  const [id] = findIds(db, fits, {
    order: 'ASC',
    limit: 1,
    also: condition(`m.id IN (${unread.sql})`, ...unread.parameters),
  })
  return id ?? AFTER_ALL
}

/** The ids around an anchor, ascending. One more is asked for on each side, to know whether there are more. */
export function findAround(
  db: Reader,
  fits: Fits,
  anchor: number,
  before: number,
  after: number,
  includeAnchor: boolean,
): { ids: number[]; found_anchor: boolean; found_newest: boolean; found_oldest: boolean } {
  const older = findIds(db, fits, { to: anchor - 1, order: 'DESC', limit: before + 1 })
  const newer =
    anchor === AFTER_ALL ? [] : findIds(db, fits, { from: anchor + 1, order: 'ASC', limit: after + 1 })
  const at =
    includeAnchor && anchor !== AFTER_ALL
      ? findIds(db, fits, { from: anchor, to: anchor, order: 'ASC', limit: 1 })
      : []
  return {
    ids: [...older.slice(0, before).reverse(), ...at, ...newer.slice(0, after)],
    found_anchor: at.length > 0,
    found_newest: newer.length <= after,
    found_oldest: older.length <= before,
  }
}
