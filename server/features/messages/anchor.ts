/** Where in a narrow to look: an anchor and so many messages around it. */
import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import type { Fits } from './narrow/condition.ts'
import { findIds } from './narrow/find.ts'
import { unreadOf } from './narrow/narrow.ts'
import type { Turns } from './narrow/turns.ts'
import { unreadFrom } from './unread.ts'

// Clients name ids that can never be, past both ends: 0, -1, 10^16.
export const Anchor = z.union([z.number(), z.enum(['newest', 'oldest', 'first_unread'])])

/** Past every id there will ever be: the anchor of the newest messages. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

/** The id that an anchor stands for: the oldest unread that fits is the first unread, else the newest of all. */
function* resolveAnchor(
  db: Reader,
  me: User | null,
  fits: Fits,
  anchor: z.output<typeof Anchor>,
): Turns<number> {
  if (typeof anchor === 'number') return Math.min(Math.max(Math.trunc(anchor), 0), AFTER_ALL)
  if (anchor === 'oldest') return 0
  if (anchor === 'newest') return AFTER_ALL
  // To somebody without an account, everything is read.
  if (!me) return AFTER_ALL
  const from = unreadFrom(db, me.id)
  if (from === undefined) return AFTER_ALL
  const [id] = yield* findIds(db, unreadOf(db, me, fits), { from, order: 'ASC', limit: 1 })
  return id ?? AFTER_ALL
}

interface Found {
  /** Ascending. */
  ids: number[]
  /** The id that the anchor stood for. */
  anchor: number
  found_anchor: boolean
  found_newest: boolean
  found_oldest: boolean
}

/** The ids around an anchor. One more is asked for on each side, to know whether there are more. */
export function* findAround(
  db: Reader,
  me: User | null,
  fits: Fits,
  wanted: z.output<typeof Anchor>,
  before: number,
  after: number,
  includeAnchor: boolean,
): Turns<Found> {
  const anchor = yield* resolveAnchor(db, me, fits, wanted)
  const older = yield* findIds(db, fits, { to: anchor - 1, order: 'DESC', limit: before + 1 })
  const isPastAll = anchor === AFTER_ALL
  const newer = isPastAll
    ? []
    : yield* findIds(db, fits, { from: anchor + 1, order: 'ASC', limit: after + 1 })
  const at =
    includeAnchor && !isPastAll ? yield* findIds(db, { ...fits, few: [anchor] }, { order: 'ASC' }) : []
  return {
    ids: [...older.slice(0, before).reverse(), ...at, ...newer.slice(0, after)],
    anchor,
    found_anchor: at.length > 0,
    found_newest: newer.length <= after,
    found_oldest: older.length <= before,
  }
}
