import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import type { Row } from '../../db/tables.ts'
import { topicKey } from '../messages/topics.ts'

export type UserTopicRow = Row<'user_topics'>

/** How prominent a topic is to a user. The numbers are those of the interface. */
export const Visibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof Visibility)[keyof typeof Visibility]

/** A topic of a channel. */
export interface TopicPlace {
  channelId: number
  topic: string
}

const policy = statement((q, userId: number, channelId: number, key: string) =>
  q
    .selectFrom('user_topics')
    .select('visibility_policy')
    .where('user_id', '=', userId)
    .where('channel_id', '=', channelId)
    .where('topic_key', '=', key),
)

/** What the user chose for a topic; `none` where nothing was chosen. */
export const visibilityOf = (
  db: Reader,
  userId: number,
  { channelId, topic }: TopicPlace,
): VisibilityPolicy =>
  (db.first(policy(userId, channelId, topicKey(topic)))?.visibility_policy ??
    Visibility.none) as VisibilityPolicy

/** What everybody chose for a topic, by user. */
export function visibilityByUser(
  db: Reader,
  { channelId, topic }: TopicPlace,
): Map<number, VisibilityPolicy> {
  const rows = db.all(
    db.q
      .selectFrom('user_topics')
      .select(['user_id', 'visibility_policy'])
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey(topic)),
  )
  return new Map(rows.map((row) => [row.user_id, row.visibility_policy as VisibilityPolicy]))
}

export type ShownUserTopic = UserTopicRow & { channel_name: string }

/** Ids of those among `userIds` who chose something for a topic of a channel. */
export const userIdsWithTopicsIn = (db: Reader, channelId: number, userIds: readonly number[]): number[] =>
  db
    .sql<{ user_id: number }>(
      `SELECT DISTINCT user_id FROM user_topics
        WHERE realm_id = :realm AND channel_id = ? AND user_id IN (SELECT value FROM json_each(?))`,
      [channelId, JSON.stringify(userIds)],
    )
    .map(({ user_id }) => user_id)

/** The choices of a user in channels that are not archived, also in those out of their sight. */
export const userTopicsOf = (db: Reader, userId: number): ShownUserTopic[] =>
  db.sql(
    `SELECT t.*, c.name AS channel_name FROM user_topics t
       JOIN channels c ON c.id = t.channel_id AND c.is_archived = 0
      WHERE t.realm_id = :realm AND t.user_id = ? ORDER BY t.channel_id, t.topic_key`,
    [userId],
  )

/** Ids of the users who muted a topic of a channel. */
export const muterIdsIn = (db: Reader, channelId: number): number[] =>
  db
    .all(
      db.q
        .selectFrom('user_topics')
        .select('user_id')
        .distinct()
        .where('channel_id', '=', channelId)
        .where('visibility_policy', '=', Visibility.muted),
    )
    .map((row) => row.user_id)

/** Stores a choice; `none` removes it. */
export function storeVisibility(
  tx: Tx,
  userId: number,
  { channelId, topic }: TopicPlace,
  visibility: VisibilityPolicy,
): void {
  const key = topicKey(topic)
  if (visibility === Visibility.none) {
    tx.runSql(
      'DELETE FROM user_topics WHERE realm_id = :realm AND user_id = ? AND channel_id = ? AND topic_key = ?',
      [userId, channelId, key],
    )
    return
  }
  tx.runSql(
    `INSERT INTO user_topics (realm_id, user_id, channel_id, topic, topic_key, visibility_policy, last_updated)
     VALUES (:realm, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (user_id, channel_id, topic_key) DO UPDATE
       SET visibility_policy = excluded.visibility_policy, last_updated = excluded.last_updated`,
    [userId, channelId, topic, key, visibility, tx.now],
  )
}
