import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { userToSee, userToSeeByEmail } from '../users/access.ts'
import { legacyForm, Presences, presenceSnapshot, statusAndTime, visiblePresences } from './present.ts'

export const getUserPresence = defineRoute({
  id: 'get-user-presence',
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: 'Fetch when a user was last here',
  caller: 'user',
  params: { user_id_or_email: path(z.string()) },
  result: z.object({
    presence: z.record(z.string(), z.object({ status: z.enum(['active', 'idle']), timestamp: z.int() })),
  }),
  run: (ctx, me, { user_id_or_email: which }) => {
    const user = /^\d+$/.test(which)
      ? userToSee(ctx, ctx.db, me, Number(which))
      : userToSeeByEmail(ctx, ctx.db, me, which)
    if (user.is_bot) throw new BadRequestError('Presence is not supported for bot users.')
    const [, presence] = visiblePresences(ctx, me).find(([{ id }]) => id === user.id) ?? []
    if (!presence) throw new BadRequestError(`No presence data for ${which}`)
    const status = statusAndTime(presence)
    return { presence: Object.fromEntries(Object.keys(legacyForm(presence)).map((key) => [key, status])) }
  },
})

export const getRealmPresence = defineRoute({
  id: 'get-presence',
  method: 'GET',
  path: '/realm/presence',
  summary: 'Fetch when everybody was last here',
  caller: 'user',
  params: {},
  result: z.object({ presences: Presences, server_timestamp: z.number() }),
  run: (ctx, me) => {
    const { presences, server_timestamp } = presenceSnapshot(ctx, me, { modern: false, historyDays: 14 })
    return { presences, server_timestamp }
  },
})
