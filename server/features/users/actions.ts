/** What changes about users, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { BadRequestError } from '../../http/errors.ts'
import { randomKey } from '../../services/passwords.ts'
import { tellOfBot, tellOfManagedBots } from '../bots/announce.ts'
import { revokeInvitationsBy } from '../invitations/announce.ts'
import { announceRole, announceReturn } from '../user-groups/actions.ts'
import { subscribe, announceReactivated, tellOfOffers } from '../channels/actions.ts'
import { type Channel, defaultChannels } from '../channels/store.ts'
import { newUserSettings } from '../user-settings/store.ts'
import { assertAllowedEmail } from '../domains/access.ts'
import { idsWhoMayAccess, isOnlyOwner, userByRealEmail } from './access.ts'
import {
  currentUser,
  tellOfEmail,
  tellOfNewUser,
  tellOfPerson,
  tellOfVisibleEmails,
  tellOfWhereabouts,
  watchAccess,
} from './announce.ts'
import { watchingSightOf } from '../channels/visibility.ts'
import { CannotDeactivateLastUserError } from './errors.ts'
import { isGuest, Role, type RoleNumber } from './roles.ts'
import { activePeople, emailKey, insertUser, updateUser } from './store.ts'
import { apiEmail } from './visibility.ts'

export interface NewUser {
  email: string
  full_name: string
  /** Null: the account cannot sign in by password. */
  password_hash: string | null
  role?: RoleNumber
  bot?: { type: number; owner_id: number | null; system?: boolean }
  timezone?: string
  /** UNIX seconds; now when left out. */
  date_joined?: number
  /** Channels to be subscribed to in place of the default ones. */
  channels?: readonly Channel[]
}

/**
 * Creates an account, tells everybody, and subscribes it to the default channels.
 * @param realmUrl address of the realm, for the avatar in the event
 * @throws BadRequestError when the address is taken
 */
export function createUser(ctx: RealmContext, tx: Tx, fields: NewUser, realmUrl: string): Row<'users'> {
  const { email, bot, role = Role.member } = fields
  if (userByRealEmail(tx, email)) throw new BadRequestError(`Email '${email}' already in use`)
  if (!bot) assertAllowedEmail(ctx, tx, email)
  const id = insertUser(tx, {
    delivery_email: email,
    email_key: emailKey(email),
    full_name: fields.full_name,
    role,
    is_bot: bot ? 1 : 0,
    is_system_bot: bot?.system ? 1 : 0,
    bot_type: bot?.type ?? null,
    bot_owner_id: bot?.owner_id ?? null,
    date_joined: fields.date_joined ?? tx.now,
    timezone: fields.timezone ?? '',
    password_hash: fields.password_hash,
    api_key: randomKey(32),
    settings: bot ? '{}' : newUserSettings(tx),
  })
  const user = currentUser(tx, id)
  if (bot?.system) return user
  tellOfNewUser(ctx, tx, user, realmUrl)
  announceRole(ctx.realm, tx, null, user)
  const defaults = bot || role === Role.guest ? [] : defaultChannels(tx)
  for (const channel of fields.channels ?? defaults) subscribe(ctx, tx, channel, [user])
  return user
}

export function changeFullName(ctx: RealmContext, tx: Tx, user: Row<'users'>, full_name: string): void {
  if (full_name === user.full_name) return
  updateUser(tx, user.id, { full_name })
  tellOfPerson(ctx, tx, user, { user_id: user.id, full_name })
  tellOfBot(tx, user, { full_name })
}

export function changeRole(ctx: RealmContext, tx: Tx, user: Row<'users'>, role: RoleNumber): void {
  if (role === user.role) return
  const tellOfAccess = watchAccess(ctx, tx, [user.id])
  watchingSightOf(ctx, tx, user.id, () => {
    updateUser(tx, user.id, { role })
    tellOfPerson(ctx, tx, user, { user_id: user.id, role })
    // Who is deactivated is in no group.
    if (user.is_active) announceRole(ctx.realm, tx, user, { ...user, role })
  })
  tellOfAccess()
  tellOfVisibleEmails(ctx, tx, user, { ...user, role })
  tellOfManagedBots(ctx, tx, user, { ...user, role })
  if (isGuest(user) !== isGuest({ role })) tellOfOffers(tx, { ...user, role })
}

/** Takes effect at once: this server sends no mail that could confirm it. @throws BadRequestError when it is taken */
export function changeEmail(ctx: RealmContext, tx: Tx, user: Row<'users'>, email: string): void {
  if (email === user.delivery_email) return
  const holder = userByRealEmail(tx, email)
  if (holder && holder.id !== user.id) throw new BadRequestError(`Email '${email}' already in use`)
  assertAllowedEmail(ctx, tx, email)
  updateUser(tx, user.id, { delivery_email: email, email_key: emailKey(email) })
  tellOfEmail(ctx, tx, user, currentUser(tx, user.id))
}

export function changeTimezone(ctx: RealmContext, tx: Tx, user: Row<'users'>, timezone: string): void {
  if (timezone === user.timezone) return
  updateUser(tx, user.id, { timezone })
  tellOfPerson(ctx, tx, user, { user_id: user.id, timezone, email: apiEmail(ctx.realm, user) })
}

/**
 * Ends the account's access: its key and password stop working, its queues end, and its bots go with it.
 * @throws CannotDeactivateLastUserError for the only owner
 */
export function deactivateUser(ctx: RealmContext, tx: Tx, user: Row<'users'>): void {
  if (isOnlyOwner(tx, user)) throw new CannotDeactivateLastUserError()
  revokeInvitationsBy(tx, user.id)
  const bots = activePeople(tx).filter(({ bot_owner_id }) => bot_owner_id === user.id)
  for (const gone of [user, ...bots]) {
    updateUser(tx, gone.id, { is_active: 0 })
    tellOfPerson(ctx, tx, gone, { user_id: gone.id, is_active: false })
    tellOfBot(tx, gone, { is_active: false })
    tx.afterwards(() => ctx.server.hub.removeAllOf(gone.id))
  }
}

export function reactivateUser(ctx: RealmContext, tx: Tx, user: Row<'users'>): void {
  updateUser(tx, user.id, { is_active: 1 })
  tellOfPerson(ctx, tx, user, { user_id: user.id, is_active: true })
  tellOfBot(tx, user, { is_active: true })
  announceReturn(ctx.realm, tx, user)
  announceReactivated(ctx, tx, user.id)
  const active = currentUser(tx, user.id)
  tellOfWhereabouts(ctx, tx, active, idsWhoMayAccess(ctx, tx, active))
}

/** A new key ends the old one at once, and with it every queue that was opened by it. */
export function regenerateApiKey(ctx: RealmContext, tx: Tx, user: Row<'users'>): string {
  const api_key = randomKey(32)
  updateUser(tx, user.id, { api_key })
  tx.afterwards(() => ctx.server.hub.removeAllOf(user.id))
  return api_key
}
