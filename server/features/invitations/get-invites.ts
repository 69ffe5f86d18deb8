import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { isAdministrator } from '../users/roles.ts'
import { assertMayList } from './access.ts'
import { InvitationObject, presentInvitation } from './present.ts'
import { allInvitations, isExpired } from './store.ts'

export const getInvites = defineRoute({
  id: 'get-invites',
  method: 'GET',
  path: '/invites',
  summary: "Invitations that were not used yet: one's own, or for administrators all",
  caller: 'user',
  params: {},
  result: z.object({ invites: z.array(InvitationObject) }),
  run: (ctx, me) => {
    assertMayList(me)
    const now = ctx.server.now() / 1000
    return {
      invites: allInvitations(ctx.db, isAdministrator(me) ? null : me.id)
        .filter((invitation) => !isExpired(invitation, now))
        .map((invitation) => presentInvitation(ctx, me, invitation)),
    }
  },
})
