import type { Reader, Tx } from '../../db/transaction.ts'
import { statement } from '../../db/statement.ts'
import type { Row } from '../../db/tables.ts'
import { inactiveUserIds } from '../users/store.ts'

export type Channel = Row<'channels'>
export type SubscriptionRow = Row<'subscriptions'>

/** A name as it is compared: two channels cannot differ in case alone. */
export const channelNameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase()

const byId = statement((q, id: number) => q.selectFrom('channels').selectAll().where('id', '=', id))

export const channelById = (db: Reader, id: number): Channel | undefined => db.first(byId(id))

const byNameKey = statement((q, key: string) =>
  q.selectFrom('channels').selectAll().where('name_key', '=', key).where('is_archived', '=', 0),
)

/** The active channel of that name. */
export const channelByName = (db: Reader, name: string): Channel | undefined =>
  db.first(byNameKey(channelNameKey(name)))

export const allChannels = (db: Reader): Channel[] =>
  db.all(db.q.selectFrom('channels').selectAll().orderBy('id'))

export const defaultChannels = (db: Reader): Channel[] =>
  db.all(
    db.q
      .selectFrom('channels')
      .selectAll()
      .where('is_default', '=', 1)
      .where('is_archived', '=', 0)
      .orderBy('id'),
  )

const byUserAndChannel = statement((q, userId: number, channelId: number) =>
  q.selectFrom('subscriptions').selectAll().where('user_id', '=', userId).where('channel_id', '=', channelId),
)

export const subscriptionOf = (db: Reader, userId: number, channelId: number): SubscriptionRow | undefined =>
  db.first(byUserAndChannel(userId, channelId))

export const isSubscribedTo = (db: Reader, userId: number, channelId: number): boolean =>
  subscriptionOf(db, userId, channelId)?.is_active === 1

/** All subscriptions a user has or had, by channel. */
export function subscriptionsOf(db: Reader, userId: number): Map<number, SubscriptionRow> {
  const rows = db.all(db.q.selectFrom('subscriptions').selectAll().where('user_id', '=', userId))
  return new Map(rows.map((row) => [row.channel_id, row]))
}

/** Ids of the active users subscribed to a channel, ascending. */
export const subscriberIds = (db: Reader, channelId: number): number[] =>
  db
    .all(
      db.q
        .selectFrom('subscriptions as s')
        .innerJoin('users as u', 'u.id', 's.user_id')
        .select('s.user_id')
        .where('s.channel_id', '=', channelId)
        .where('s.is_active', '=', 1)
        .where('u.is_active', '=', 1)
        .orderBy('s.user_id'),
    )
    .map((row) => row.user_id)

/** {@link subscriberIds} of every channel at once. */
export function subscriberIdsByChannel(db: Reader): Map<number, number[]> {
  // Both read from the index alone: a hundred thousand rows are not looked up.
  const rows = db.sql<{ channel_id: number; ids: string }>(
    `SELECT c.id AS channel_id, json_group_array(s.user_id) AS ids
       FROM channels c JOIN subscriptions s ON s.channel_id = c.id AND s.is_active = 1
      WHERE c.realm_id = :realm GROUP BY c.id`,
  )
  const inactive = inactiveUserIds(db)
  const idsOf = (json: string) =>
    (JSON.parse(json) as number[]).filter((id) => !inactive.has(id)).sort((x, y) => x - y)
  return new Map(rows.map((row) => [row.channel_id, idsOf(row.ids)]))
}

const DAY = 86_400
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY)

export interface Traffic {
  /** Messages in the last four weeks. */
  messages: number
  /** Day of the last message, in days since the epoch. */
  lastDay: number
}

/** How busy every channel that had a message has been. @param now UNIX seconds */
export function trafficByChannel(db: Reader, now: number): Map<number, Traffic> {
  const rows = db.sql<{ channel_id: number; messages: number; last_day: number }>(
    `SELECT channel_id, SUM(CASE WHEN day > ? THEN messages ELSE 0 END) AS messages, MAX(day) AS last_day
       FROM channel_traffic WHERE realm_id = :realm GROUP BY channel_id`,
    [dayOf(now) - 28],
  )
  return new Map(rows.map((row) => [row.channel_id, { messages: row.messages, lastDay: row.last_day }]))
}

/**
 * @param timestamp of the message, UNIX seconds
 * @returns whether it is the first one of its day
 */
export function countMessage(tx: Tx, channelId: number, timestamp: number): boolean {
  const day = dayOf(timestamp)
  const counted = tx.runSql(
    'UPDATE channel_traffic SET messages = messages + 1 WHERE realm_id = :realm AND channel_id = ? AND day = ?',
    [channelId, day],
  )
  if (counted === 0) tx.insert('channel_traffic', { channel_id: channelId, day, messages: 1 })
  return counted === 0
}

/** Makes the subscriptions active, keeping what the users had chosen for them before. @param colors by user */
export function upsertSubscriptions(tx: Tx, colors: ReadonlyMap<number, string>, channelId: number): void {
  tx.runSql(
    `INSERT INTO subscriptions (realm_id, user_id, channel_id, is_active, color)
     SELECT :realm, CAST(key AS INTEGER), ?2, 1, value FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, channel_id) DO UPDATE SET is_active = 1`,
    [JSON.stringify(Object.fromEntries(colors)), channelId],
  )
}

export function endSubscriptions(tx: Tx, userIds: readonly number[], channelId: number): void {
  tx.runSql(
    `UPDATE subscriptions SET is_active = 0
      WHERE realm_id = :realm AND user_id IN (SELECT value FROM json_each(?)) AND channel_id = ?`,
    [JSON.stringify(userIds), channelId],
  )
}

export function updateChannel(tx: Tx, id: number, changes: Partial<Channel>): void {
  tx.run(tx.q.updateTable('channels').set(changes).where('id', '=', id))
}

export function updateSubscription(
  tx: Tx,
  userId: number,
  channelId: number,
  changes: Partial<SubscriptionRow>,
): void {
  tx.run(
    tx.q
      .updateTable('subscriptions')
      .set(changes)
      .where('user_id', '=', userId)
      .where('channel_id', '=', channelId),
  )
}

/** All subscriptions to a channel, active or not, by user. */
export function subscriptionRowsOf(db: Reader, channelId: number): Map<number, SubscriptionRow> {
  const rows = db.all(db.q.selectFrom('subscriptions').selectAll().where('channel_id', '=', channelId))
  return new Map(rows.map((row) => [row.user_id, row]))
}

/** The colours that users' channels have, by user. */
export function usedColors(db: Reader, userIds: readonly number[]): Map<number, string[]> {
  const rows = db.sql<{ user_id: number; colors: string }>(
    `SELECT user_id, json_group_array(color) AS colors FROM subscriptions
      WHERE user_id IN (SELECT value FROM json_each(?)) AND +realm_id = :realm GROUP BY user_id`,
    [JSON.stringify(userIds)],
  )
  return new Map(rows.map((row) => [row.user_id, JSON.parse(row.colors) as string[]]))
}
