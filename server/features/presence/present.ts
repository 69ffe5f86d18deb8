import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { EventOf } from '../../events/union.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { accessibleUserIds, type User } from '../users/access.ts'
import { allUsers } from '../users/store.ts'
import { apiEmail } from '../users/visibility.ts'
import type { Presence } from './board.ts'

/** Who has not been heard of for so long is offline, in seconds. */
export const OFFLINE_AFTER = 140

const CLIENT = 'website'

const Legacy = z.strictObject({
  client: z.string(),
  status: z.enum(['active', 'idle']),
  timestamp: z.int(),
  pushable: z.boolean().optional(),
})
const Modern = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() })
export const Presences = z.record(z.string(), z.union([Modern, z.record(z.string(), Legacy)]))

export const modernForm = ({ active_at, idle_at }: Presence) => ({
  active_timestamp: active_at,
  idle_timestamp: idle_at,
})

export function statusAndTime({ active_at, idle_at }: Presence) {
  return active_at + OFFLINE_AFTER >= idle_at
    ? { status: 'active' as const, timestamp: active_at }
    : { status: 'idle' as const, timestamp: idle_at }
}

export const legacyForm = (presence: Presence) => {
  const shared = { client: CLIENT, ...statusAndTime(presence) }
  return { website: { ...shared, pushable: false }, aggregated: shared }
}

/** Whether the organization and the user let others see when the user was here. */
export const showsPresence = ({ realm }: RealmContext, user: User): boolean =>
  !realm.settings.presence_disabled &&
  user.is_active === 1 &&
  !user.is_bot &&
  settingsOf(user).presence_enabled

/** What others are told when a user comes, or comes in sight. */
export const presenceEvent = (ctx: RealmContext, user: User, presence: Presence): EventOf<'presence'> => ({
  type: 'presence',
  user_id: user.id,
  email: apiEmail(ctx.realm, user),
  server_timestamp: ctx.server.now() / 1000,
  presence: { [CLIENT]: { client: CLIENT, ...statusAndTime(presence), pushable: false } },
})

export interface PresenceQuery {
  /** Keyed by user id, with both times. */
  modern: boolean
  /** Only who was here in so many days. */
  historyDays: number
  /** Only what changed after the update of this id; not positive: everything. */
  after?: number
}

/** The presence of those whom the reader may know of and who let it be shown. */
export function visiblePresences(ctx: RealmContext, me: User): [User, Presence][] {
  const board = ctx.server.presence.of(ctx.realm.id)
  const known = accessibleUserIds(ctx, ctx.db, me)
  return allUsers(ctx.db).flatMap((user): [User, Presence][] => {
    const presence = board.get(user.id)
    const isShown = presence && showsPresence(ctx, user) && (known?.has(user.id) ?? true)
    return isShown ? [[user, presence]] : []
  })
}

export function presenceSnapshot(ctx: RealmContext, me: User, query: PresenceQuery) {
  const { modern, historyDays, after = -1 } = query
  const now = ctx.server.now() / 1000
  const all = visiblePresences(ctx, me)
  const wanted = all.filter(([, { idle_at, update_id }]) =>
    after > 0 ? update_id > after : idle_at >= now - historyDays * 86_400,
  )
  return {
    presences: Object.fromEntries(
      wanted.map(([user, presence]) =>
        modern ? [user.id, modernForm(presence)] : [apiEmail(ctx.realm, user), legacyForm(presence)],
      ),
    ),
    presence_last_update_id: Math.max(after, -1, ...all.map(([, { update_id }]) => update_id)),
    server_timestamp: now,
  }
}
