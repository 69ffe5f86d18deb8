/** Who may invite whom, and whose invitations one may manage. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { ChannelAccess, channelToSee } from '../channels/access.ts'
import { groupToChange, holdsOfRealm } from '../user-groups/access.ts'
import { assertHuman, type Me } from '../users/access.ts'
import { isAdministrator, isGuest, isOwner, Role } from '../users/roles.ts'
import { type Invitation, invitationById } from './store.ts'

/** What is offered with an invitation. */
export interface Offer {
  role: number
  channelIds: readonly number[]
  groupIds: readonly number[]
}

/** Whether somebody may give a role away. */
export const mayOffer = (me: Me, role: number): boolean =>
  role === Role.owner ? isOwner(me) : role <= Role.moderator ? isAdministrator(me) : true

/** @throws BadRequestError */
export function assertMayInvite(
  ctx: RealmContext,
  db: Reader,
  me: Me,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
  offer: Offer,
): void {
  assertHuman(me)
  if (!holdsOfRealm(ctx, db, permission, me)) throw new BadRequestError('Insufficient permission')
  if (!mayOffer(me, offer.role)) {
    throw new BadRequestError(
      offer.role === Role.owner ? 'Must be an organization owner' : 'Must be an organization administrator',
    )
  }
  const access = new ChannelAccess(ctx, db, me)
  for (const id of offer.channelIds) {
    const channel = channelToSee(ctx, db, me, id)
    if (channel.is_archived) throw new BadRequestError('Invalid channel ID')
    if (!channel.is_default && !access.maySubscribeOthers(channel)) {
      throw new BadRequestError('You do not have permission to subscribe other users to channels.')
    }
  }
  for (const id of offer.groupIds) groupToChange(ctx, db, me, id, ['can_add_members_group'])
}

/** An invitation of one's own, or any for an administrator. @throws BadRequestError */
export function invitationToManage(db: Reader, me: Me, id: number, isMultiuse: boolean): Invitation {
  assertHuman(me)
  const invitation = invitationById(db, id)
  const isThere = invitation && (invitation.email === null) === isMultiuse
  if (!isThere) throw new BadRequestError('No such invitation')
  if (invitation.invited_by !== me.id && !isAdministrator(me)) throw new BadRequestError('No such invitation')
  if (!mayOffer(me, invitation.role)) throw new BadRequestError('Must be an organization owner')
  return invitation
}

/** @throws BadRequestError for guests and bots */
export function assertMayList(me: Me): void {
  assertHuman(me)
  if (isGuest(me)) throw new BadRequestError('Not allowed for guest users')
}
