import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertHuman, idsWhoMayAccess, type Me } from '../users/access.ts'
import {
  OFFLINE_AFTER,
  presenceEvent,
  Presences,
  presenceSnapshot,
  showsPresence,
  statusAndTime,
} from './present.ts'

export const updatePresence = defineRoute({
  id: 'update-presence',
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Say that one is here, and ask who else is',
  caller: 'user',
  params: {
    status: text(z.enum(['idle', 'active'])),
    ping_only: text(z.boolean().default(false), { description: 'Asks nothing.' }),
    new_user_input: text(z.boolean().default(false)),
    slim_presence: text(z.boolean().default(false), { description: 'Deprecated: pass `last_update_id`.' }),
    last_update_id: text(z.int().optional(), { description: '-1 for none. Selects the modern format.' }),
    history_limit_days: text(z.int().min(0).default(14)),
  },
  result: z.object({
    presence_last_update_id: z.int(),
    presences: Presences.optional(),
    server_timestamp: z.number().optional(),
  }),
  run: (ctx, me, { status, ping_only, slim_presence, last_update_id, history_limit_days }) => {
    assertHuman(me)
    noteHere(ctx, me, status)
    const modern = slim_presence || last_update_id !== undefined
    const after = last_update_id ?? -1
    const snapshot = presenceSnapshot(ctx, me, { modern, after, historyDays: history_limit_days })
    return ping_only ? { presence_last_update_id: snapshot.presence_last_update_id } : snapshot
  },
})

function noteHere(ctx: RequestContext, me: Me, status: 'idle' | 'active'): void {
  if (!showsPresence(ctx, me)) return
  const { before, after } = ctx.server.presence.note(ctx.realm.id, me.id, status, me.date_joined)
  const wasOffline = !before || after.idle_at - before.idle_at > OFFLINE_AFTER
  const wasIdle = status === 'active' && before && statusAndTime(before).status === 'idle'
  // Others ask every minute; an event is for what they would want to know at once.
  if (!wasOffline && !wasIdle) return
  ctx.transact((tx) => tx.emit(presenceEvent(ctx, me, after), { to: idsWhoMayAccess(ctx, tx, me) }))
}
