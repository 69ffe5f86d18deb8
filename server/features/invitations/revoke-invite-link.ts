import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { invitationToManage } from './access.ts'
import { revokeInvitation } from './actions.ts'

export const revokeInviteLink = defineRoute({
  id: 'revoke-invite-link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  summary: 'Take back a link by which anybody could join',
  caller: 'user',
  params: { invite_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { invite_id }) =>
    ctx.transact((tx) => {
      revokeInvitation(tx, invitationToManage(tx, me, invite_id, true))
      return {}
    }),
})
