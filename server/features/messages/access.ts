/** Messages that their reader may read. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError, UnauthorizedError } from '../../http/errors.ts'
import { ChannelAccess } from '../channels/access.ts'
import { type Channel, channelById, subscriptionsOf } from '../channels/store.ts'
import { realmPermission } from '../realms/store.ts'
import { holds } from '../user-groups/access.ts'
import type { RealmPermission } from '../user-groups/settings.ts'
import type { Me } from '../users/access.ts'
import { HELD } from './flags.ts'
import { placesOf } from './store.ts'

/** Whether someone who may read a channel may read what was written before they came. */
export const hasOpenHistory = (channel: Channel): boolean =>
  !channel.invite_only || channel.history_public_to_subscribers === 1

/** Whether a channel's history is open to people without an account, where the organization lets them in. */
export const isOpenToSpectators = (channel: Channel): boolean =>
  channel.is_web_public === 1 && !channel.is_archived

/** @throws UnauthorizedError unless people without an account may look into the organization */
export function assertSpectatorsWelcome(ctx: RealmContext): void {
  const { config } = ctx.server
  if (!config.webPublicStreamsEnabled || !ctx.realm.settings.enable_spectator_access) {
    throw new UnauthorizedError()
  }
}

/** Ids of the channel conversations whose whole history is open to a user, or (null) to anybody. */
export function openConversationIds(ctx: RealmContext, db: Reader, me: Me | null): number[] {
  const rows = db.sql<Channel & { conversation_id: number }>(
    `SELECT c.id AS conversation_id, h.* FROM channels h JOIN conversations c ON c.channel_id = h.id
      WHERE h.realm_id = :realm`,
  )
  const subscriptions = me && subscriptionsOf(db, me.id)
  const access = me && new ChannelAccess(ctx, db, me)
  const mayRead = (channel: Channel) =>
    access?.mayRead(channel, subscriptions?.get(channel.id)?.is_active === 1) ?? false
  return rows
    .filter((channel) => (me ? hasOpenHistory(channel) && mayRead(channel) : isOpenToSpectators(channel)))
    .map((row) => row.conversation_id)
}

/** Which of these messages the user, or (null) anybody, may read. */
export function readableIds(ctx: RealmContext, db: Reader, me: Me | null, ids: readonly number[]): number[] {
  const rows = db.sql<{ id: number; channel_id: number | null; held: number }>(
    `SELECT m.id, c.channel_id, ${HELD} AS held FROM messages m
       JOIN conversations c ON c.id = m.conversation_id
      WHERE m.id IN (SELECT value FROM json_each(?)) AND +m.realm_id = :realm ORDER BY m.id`,
    [me?.id ?? -1, me?.id ?? -1, JSON.stringify(ids)],
  )
  const access = me && new ChannelAccess(ctx, db, me)
  const channels = new Map<number, { mayRead: boolean; isOpen: boolean }>()
  const channelOf = (id: number) => {
    let known = channels.get(id)
    if (!known) {
      const channel = channelById(db, id)
      const mayRead = !!channel && (access ? access.mayRead(channel) : isOpenToSpectators(channel))
      known = { mayRead, isOpen: !!channel && hasOpenHistory(channel) }
      channels.set(id, known)
    }
    return known
  }
  const mayRead = ({ channel_id, held }: (typeof rows)[number]): boolean => {
    if (channel_id === null) return held === 1
    const channel = channelOf(channel_id)
    // Somebody who left a private channel no longer reads there, not even what they once received.
    return channel.mayRead && (channel.isOpen || held === 1)
  }
  return rows.filter(mayRead).map((row) => row.id)
}

/** Which of these messages, readable after the commit `since`, still are. While nothing is written all of them are. */
export const stillReadableIds = (
  ctx: RealmContext,
  db: Reader,
  me: Me | null,
  ids: readonly number[],
  since: number,
): readonly number[] => (ctx.server.database.sequence === since ? ids : readableIds(ctx, db, me, ids))

/** Ids of the conversations of which the user received something that is closed to them now. */
export function closedConversationIds(ctx: RealmContext, db: Reader, me: Me): number[] {
  const left = db.sql<{ conversation_id: number; channel_id: number }>(
    `SELECT c.id AS conversation_id, c.channel_id FROM conversations c
       JOIN channels h ON h.id = c.channel_id AND h.is_web_public = 0
      WHERE c.realm_id = :realm AND c.id IN (
        SELECT s.conversation_id FROM spans s WHERE s.user_id = ?1 AND s.to_id IS NOT NULL
        UNION
        SELECT t.conversation_id FROM spans s JOIN moved_to t ON t.received_in = s.conversation_id
         WHERE s.user_id = ?1)`,
    [me.id],
  )
  const access = new ChannelAccess(ctx, db, me)
  return left
    .filter(({ channel_id }) => {
      const channel = channelById(db, channel_id)
      return !channel || !access.mayRead(channel)
    })
    .map((row) => row.conversation_id)
}

/** @throws BadRequestError when there is no such message for this reader */
export function assertMayRead(ctx: RealmContext, db: Reader, me: Me | null, id: number): void {
  if (readableIds(ctx, db, me, [id]).length === 0) throw new BadRequestError('Invalid message(s)')
}

/** A message the user may delete: any, or an own one that is not too old. @throws BadRequestError */
export function messageToDelete(ctx: RealmContext, db: Reader, me: Me, id: number): void {
  assertMayRead(ctx, db, me, id)
  const [place] = placesOf(db, [id])
  const now = ctx.server.now() / 1000
  const may = (permission: RealmPermission) =>
    holds(db, ctx.realm, realmPermission(db, ctx.realm, permission), me, now)
  if (may('can_delete_any_message_group')) return
  if (place?.sender_id !== me.id || !may('can_delete_own_message_group')) {
    throw new BadRequestError("You don't have permission to delete this message")
  }
  const limit = ctx.realm.settings.message_content_delete_limit_seconds
  if (limit !== null && now - place.timestamp > limit) {
    throw new BadRequestError('The time limit for deleting this message has passed')
  }
}
