/** The channels that new users are subscribed to. */
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { assertAdministrator, type Me } from '../users/access.ts'
import { channelToSee } from './access.ts'
import { setDefault } from './actions.ts'

const params = { stream_id: text(z.int()) }

export const addDefaultChannel = defineRoute({
  id: 'add-default-stream',
  method: 'POST',
  path: '/default_streams',
  summary: 'Make a channel one that new users are subscribed to; for administrators',
  caller: 'user',
  params,
  result: z.object({}),
  run: (ctx, me, { stream_id }) => change(ctx, me, stream_id, true),
})

export const removeDefaultChannel = defineRoute({
  id: 'remove-default-stream',
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Have new users no longer subscribed to a channel; for administrators',
  caller: 'user',
  params,
  result: z.object({}),
  run: (ctx, me, { stream_id }) => change(ctx, me, stream_id, false),
})

function change(ctx: RequestContext, me: Me, channelId: number, isDefault: boolean): Record<string, never> {
  ctx.transact((tx) => {
    assertAdministrator(me)
    const channel = channelToSee(ctx, tx, me, channelId)
    if (isDefault && channel.is_archived) throw new BadRequestError('Invalid channel ID')
    if (isDefault && channel.invite_only)
      throw new BadRequestError('Private channels cannot be made default.')
    if ((channel.is_default === 1) !== isDefault) setDefault(tx, channel, isDefault)
  })
  return {}
}
