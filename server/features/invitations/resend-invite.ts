import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { invitationToManage } from './access.ts'
import { tellOfInvitations } from './announce.ts'

export const resendInvite = defineRoute({
  id: 'resend-email-invite',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Say that an invitation was handed on again. No mail is sent',
  caller: 'user',
  params: { invite_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { invite_id }) =>
    ctx.transact((tx) => {
      const { id, invited_by } = invitationToManage(tx, me, invite_id, false)
      tx.run(tx.q.updateTable('invitations').set({ created: tx.now }).where('id', '=', id))
      tellOfInvitations(tx, invited_by)
      return {}
    }),
})
