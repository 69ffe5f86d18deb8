/** Invitations as clients see them. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Me } from '../users/access.ts'
import { roleNumbers } from '../users/roles.ts'
import { mayOffer } from './access.ts'
import type { Invitation } from './store.ts'

export const InvitationObject = z.strictObject({
  id: z.int(),
  is_multiuse: z.boolean(),
  email: z.string().optional(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: z.literal(roleNumbers),
  invited_by_user_id: z.int(),
  notify_referrer_on_join: z.boolean(),
  /** Of an invitation to one address too: this server sends no mail, so that somebody has to hand it on. */
  link_url: z.string().optional(),
})
export type InvitationObject = z.output<typeof InvitationObject>

export const linkOf = (ctx: RealmContext, key: string): string => `${ctx.realmUrl}/join/${key}`

export function presentInvitation(ctx: RealmContext, me: Me, invitation: Invitation): InvitationObject {
  return {
    id: invitation.id,
    is_multiuse: invitation.email === null,
    ...(invitation.email === null ? {} : { email: invitation.email }),
    invited: invitation.created,
    expiry_date: invitation.expires,
    invited_as: invitation.role as (typeof roleNumbers)[number],
    invited_by_user_id: invitation.invited_by,
    notify_referrer_on_join: invitation.notify_referrer === 1,
    // Whoever has the link can take the role.
    ...(mayOffer(me, invitation.role) ? { link_url: linkOf(ctx, invitation.key) } : {}),
  }
}
