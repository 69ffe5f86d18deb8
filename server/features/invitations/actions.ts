/** What changes about invitations, and who comes in by them. */
import type { RealmContext } from '../../context.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { ApiError, BadRequestError } from '../../http/errors.ts'
import { randomKey } from '../../services/passwords.ts'
import { channelById, defaultChannels } from '../channels/store.ts'
import { sendNotification } from '../messages/notification-bot.ts'
import { addMembers } from '../user-groups/actions.ts'
import { groupById } from '../user-groups/store.ts'
import { type Me, type User, userByRealEmail } from '../users/access.ts'
import { createUser } from '../users/actions.ts'
import { Email } from '../users/fields.ts'
import { isGuest, type RoleNumber } from '../users/roles.ts'
import { assertEmailAllowed, assertNameFree } from '../users/rules.ts'
import { emailKey, userById } from '../users/store.ts'
import { welcome } from '../users/welcome.ts'
import { tellOfInvitations } from './announce.ts'
import type { Refused } from './errors.ts'
import {
  deleteExpired,
  deleteInvitation,
  deleteInvitationsTo,
  type Invitation,
  invitationByKey,
  isExpired,
} from './store.ts'

export interface NewInvitation {
  role: number
  channelIds: readonly number[]
  groupIds: readonly number[]
  includeDefaultChannels: boolean
  notifyReferrer: boolean
  /** Null: never ends. */
  minutes: number | null
}

/** @param email null: for whoever has the link. @returns the key in the link */
export function addInvitation(tx: Tx, me: Me, email: string | null, offer: NewInvitation): string {
  const key = randomKey(32)
  deleteExpired(tx)
  tx.insert('invitations', {
    key,
    invited_by: me.id,
    email,
    email_key: email === null ? null : emailKey(email),
    role: offer.role,
    channel_ids: JSON.stringify(offer.channelIds),
    group_ids: JSON.stringify(offer.groupIds),
    include_default_channels: bit(offer.includeDefaultChannels),
    notify_referrer: bit(offer.notifyReferrer),
    created: tx.now,
    expires: offer.minutes === null ? null : tx.now + offer.minutes * 60,
  })
  return key
}

/** Invites every address that can be; a newer invitation takes the place of an older one. @returns the others */
export function inviteAddresses(
  ctx: RealmContext,
  tx: Tx,
  me: Me,
  emails: readonly string[],
  offer: NewInvitation,
): Refused[] {
  const refused: Refused[] = []
  for (const email of emails) {
    const user = userByRealEmail(tx, email)
    if (user) {
      const reason = user.is_active ? 'Already has an account.' : 'Account has been deactivated.'
      refused.push([email, reason, !user.is_active])
      continue
    }
    const problem = addressProblem(ctx, tx, email)
    if (problem) {
      refused.push([email, problem, false])
      continue
    }
    deleteInvitationsTo(tx, emailKey(email))
    addInvitation(tx, me, email, offer)
  }
  if (refused.length < emails.length) tellOfInvitations(tx, me.id)
  return refused
}

/** Why the organization does not take an address; undefined when it does. */
export function addressProblem(ctx: RealmContext, tx: Tx, email: string): string | undefined {
  if (!Email.safeParse(email).success) return 'Invalid address.'
  try {
    assertEmailAllowed(ctx, tx, email)
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

export function revokeInvitation(tx: Tx, invitation: Invitation): void {
  deleteInvitation(tx, invitation.id)
  tellOfInvitations(tx, invitation.invited_by)
}

/** The invitation behind a link that can still be used. */
export function openInvitation(ctx: RealmContext, key: string): Invitation | undefined {
  const invitation = ctx.realm.isDeactivated ? undefined : invitationByKey(ctx.db, key)
  return invitation && !isExpired(invitation, ctx.server.now() / 1000) ? invitation : undefined
}

export interface Newcomer {
  full_name: string
  /** Of no account when the invitation names another. */
  email: string
  password_hash: string
}

/**
 * Makes the account that an invitation is for.
 * @throws BadRequestError
 */
export function acceptInvitation(ctx: RealmContext, tx: Tx, key: string, newcomer: Newcomer): User {
  const invitation = invitationByKey(tx, key)
  if (!invitation || isExpired(invitation, tx.now)) throw new BadRequestError('This invitation has ended.')
  const { full_name, password_hash } = newcomer
  const email = invitation.email ?? newcomer.email
  assertMayBecome(ctx, tx, full_name, email)
  const role = invitation.role as RoleNumber
  const channels = channelsOf(tx, invitation)
  const user = createUser(ctx, tx, { email, full_name, password_hash, role, channels }, ctx.realmUrl)
  for (const id of idsIn(invitation.group_ids)) {
    const group = groupById(tx, id)
    if (group && !group.deactivated) addMembers(ctx, tx, group, [user.id])
  }
  // By a link that many use, only what was sent to this very address has served its purpose.
  if (deleteInvitationsTo(tx, emailKey(email))) tellOfInvitations(tx, invitation.invited_by)
  welcome(ctx, tx, user)
  tellOthers(ctx, tx, invitation, user)
  return user
}

/**
 * Whether there can be an account of this name and address: asked before the password is worked on, and again after.
 * @throws BadRequestError
 */
export function assertMayBecome(ctx: RealmContext, db: Reader, full_name: string, email: string): void {
  if (userByRealEmail(db, email)) throw new BadRequestError(`Email '${email}' already in use`)
  assertEmailAllowed(ctx, db, email)
  assertNameFree(ctx, db, full_name, null)
}

const idsIn = (stored: string): number[] => JSON.parse(stored) as number[]

function channelsOf(tx: Tx, invitation: Invitation) {
  const named = idsIn(invitation.channel_ids).flatMap((id) => channelById(tx, id) ?? [])
  const defaults = invitation.include_default_channels ? defaultChannels(tx) : []
  const all = new Map([...named, ...defaults].map((channel) => [channel.id, channel]))
  return [...all.values()].filter((channel) => !channel.is_archived)
}

function tellOthers(ctx: RealmContext, tx: Tx, invitation: Invitation, user: User): void {
  const inviter = userById(tx, invitation.invited_by)
  const name = `@_**${user.full_name}|${user.id}**`
  if (invitation.notify_referrer && inviter?.is_active) {
    sendNotification(ctx, tx, { users: [inviter] }, `${name} accepted your invitation to join.`)
  }
  const channelId = ctx.realm.settings.signup_announcements_stream_id
  if (channelId !== null && !isGuest(user)) {
    sendNotification(ctx, tx, { channelId, topic: 'signups' }, `${name} joined this organization.`)
  }
}
