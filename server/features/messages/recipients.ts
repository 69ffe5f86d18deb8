/** Whom a message is for, and whether its sender may send it there. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { ChannelAccess } from '../channels/access.ts'
import { ChannelDoesNotExistError } from '../channels/errors.ts'
import { type Channel, channelById, channelByName } from '../channels/store.ts'
import { realmPermission } from '../realms/store.ts'
import { holds } from '../user-groups/access.ts'
import type { RealmPermission } from '../user-groups/settings.ts'
import { accessibleUserIds, type User, userByVisibleEmail } from '../users/access.ts'
import { userById } from '../users/store.ts'
import { findDirectConversation } from './conversations.ts'

/** `to` in all its forms: a name, an address, an id, or a list of either kind. */
export const To = z.union([z.int(), z.string(), z.array(z.int()).min(1), z.array(z.string())])
export type To = z.output<typeof To>

/** Whether a user may write to a channel. */
export function mayPostTo(
  access: ChannelAccess,
  channel: Channel,
  isSubscribed = access.isSubscribed(channel),
): boolean {
  const isOpen = access.mayRead(channel, isSubscribed) && !channel.invite_only
  return !channel.is_archived && (isSubscribed || isOpen) && access.holds(channel, 'can_send_message_group')
}

/** @throws ChannelDoesNotExistError, BadRequestError */
export function channelToPostTo(ctx: RealmContext, db: Reader, sender: User, to: To): Channel {
  const [which, ...more] = Array.isArray(to) ? to : [to]
  if (which === undefined || more.length > 0) throw new BadRequestError('Expected exactly one channel')
  const channel = typeof which === 'number' ? channelById(db, which) : channelByName(db, which)
  if (!channel) throw new ChannelDoesNotExistError(which)
  if (sender.is_system_bot) return channel
  const access = new ChannelAccess(ctx, db, sender)
  const isSubscribed = access.isSubscribed(channel)
  if (!access.maySee(channel, isSubscribed)) throw new ChannelDoesNotExistError(which)
  if (!mayPostTo(access, channel, isSubscribed)) {
    throw new BadRequestError(`Not authorized to send to channel '${channel.name}'`)
  }
  return channel
}

/**
 * Everybody in a direct conversation, the sender among them.
 * @throws BadRequestError for users who are not there, deactivated, or not to be written to
 */
export function usersToWriteTo(ctx: RealmContext, db: Reader, sender: User, to: To): User[] {
  const named = Array.isArray(to) ? to : typeof to === 'string' ? to.split(',') : [to]
  if (named.length === 0) throw new BadRequestError('Message must have recipients')
  const users = new Map([[sender.id, sender]])
  const accessible = accessibleUserIds(ctx, db, sender)
  for (const which of named) {
    const user = typeof which === 'number' ? userById(db, which) : userByVisibleEmail(db, sender, which)
    if (!user) {
      throw new BadRequestError(
        typeof which === 'number' ? `Invalid user ID ${which}` : `Invalid email '${which.trim()}'`,
      )
    }
    if (accessible && !accessible.has(user.id)) {
      throw new BadRequestError('You do not have permission to access some of the recipients.')
    }
    if (!user.is_active)
      throw new BadRequestError(`'${user.full_name}' is no longer using this organization.`)
    users.set(user.id, user)
  }
  if (!sender.is_system_bot) assertMayWriteDirectly(ctx, db, sender, [...users.values()])
  return [...users.values()].sort((a, b) => a.id - b.id)
}

function assertMayWriteDirectly(ctx: RealmContext, db: Reader, sender: User, users: readonly User[]): void {
  // Oneself and bots can always be written to.
  if (users.every((user) => user.id === sender.id || user.is_bot)) return
  const now = ctx.server.now() / 1000
  const may = (user: User, permission: RealmPermission) =>
    holds(db, ctx.realm, realmPermission(db, ctx.realm, permission), user, now)
  if (!users.some((user) => !user.is_bot && may(user, 'direct_message_permission_group'))) {
    throw new BadRequestError('Direct messages are not allowed between these users in this organization.')
  }
  const isNew =
    findDirectConversation(
      db,
      users.map(({ id }) => id),
    ) === undefined
  if (isNew && !may(sender, 'direct_message_initiator_group')) {
    throw new BadRequestError('You do not have permission to initiate direct message conversations.')
  }
}
