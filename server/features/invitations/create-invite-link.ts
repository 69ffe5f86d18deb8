import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { assertMayInvite } from './access.ts'
import { addInvitation } from './actions.ts'
import { tellOfInvitations } from './announce.ts'
import { invitationParams } from './fields.ts'
import { linkOf } from './present.ts'

export const createInviteLink = defineRoute({
  id: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Make a link by which anybody who has it can join',
  caller: 'user',
  params: { stream_ids: json(z.array(z.int()).default([])), ...invitationParams },
  result: z.object({ invite_link: z.string() }),
  run: (ctx, me, params) => {
    const offer = {
      role: params.invite_as,
      channelIds: params.stream_ids,
      groupIds: params.group_ids,
      includeDefaultChannels: params.include_realm_default_subscriptions,
      notifyReferrer: false,
      minutes: params.invite_expires_in_minutes,
    }
    return ctx.transact((tx) => {
      assertMayInvite(ctx, tx, me, 'create_multiuse_invite_group', offer)
      const key = addInvitation(tx, me, null, offer)
      tellOfInvitations(tx, me.id)
      return { invite_link: linkOf(ctx, key) }
    })
  },
})
