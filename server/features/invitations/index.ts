import { createInviteLink } from './create-invite-link.ts'
import { getInvites } from './get-invites.ts'
import { resendInvite } from './resend-invite.ts'
import { revokeInvite } from './revoke-invite.ts'
import { revokeInviteLink } from './revoke-invite-link.ts'
import { sendInvites } from './send-invites.ts'

export const invitationRoutes = [
  getInvites,
  sendInvites,
  createInviteLink,
  revokeInvite,
  revokeInviteLink,
  resendInvite,
]
