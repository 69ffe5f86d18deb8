/** What a client starts with about messages: what is unread, starred, and who was written to lately. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { ChannelAccess, perChannel } from '../channels/access.ts'
import type { User } from '../users/access.ts'
import { dmUserIds } from './conversations.ts'
import { FlagBit, MENTION_BITS } from './flags.ts'
import { shownTopic } from './topics.ts'
import { unreadIds } from './unread.ts'
import { groupUnread, type UnreadPlace, type UnreadSnapshot } from './unread-counts.ts'

/** Unread messages beyond so many are not counted: the oldest go first (specification, "POST /register"). */
export const MAX_UNREAD = 50_000
/** Direct conversations beyond so many, by their newest message, are left out. */
const MAX_RECENT_CONVERSATIONS = 1000

interface UnreadRow {
  id: number
  channel_id: number | null
  dm_key: string | null
  topic: string
  bits: number
}

/**
 * What is unread where the user may still read it.
 * @param limit so many are counted at most
 */
export function unreadSnapshot(
  ctx: RealmContext,
  me: User,
  allowEmptyTopic: boolean,
  limit = MAX_UNREAD,
): UnreadSnapshot {
  const { db } = ctx
  const userId = me.id
  const rows = newestUnread(db, userId, limit + 1)
  const access = new ChannelAccess(ctx, db, me)
  const isOpen = perChannel(db, (channel) => !channel.is_archived && access.mayRead(channel))
  const places = new Map<number, UnreadPlace>()
  for (const { id, channel_id, dm_key, topic, bits } of rows.slice(0, limit)) {
    const mentioned = (bits & MENTION_BITS) !== 0
    if (channel_id !== null) {
      if (!isOpen(channel_id)) continue
      places.set(id, { stream_id: channel_id, topic: shownTopic(topic, allowEmptyTopic), mentioned })
    } else {
      places.set(id, { user_ids: dmUserIds(dm_key ?? '').filter((other) => other !== userId), mentioned })
    }
  }
  return groupUnread(places, userId, rows.length > limit)
}

/**
 * The newest unread messages of a user, newest first. Most people's unread messages are recent, so it looks at ever
 * longer stretches of history, until they are enough or all.
 */
function newestUnread(db: Reader, userId: number, limit: number): UnreadRow[] {
  const [newest] = db.sql<{ id: number | null }>('SELECT MAX(id) AS id FROM messages WHERE realm_id = :realm')
  const end = newest?.id ?? 0
  for (let length = 100_000; ; length *= 4) {
    const rows = unreadAfter(db, userId, end - length, limit)
    if (rows.length >= limit || length >= end) return rows
  }
}

function unreadAfter(db: Reader, userId: number, after: number, limit: number): UnreadRow[] {
  const unread = unreadIds(userId)
  return db.sql<UnreadRow>(
    `WITH unread (id) AS (SELECT id FROM (${unread.sql}) WHERE id > ? ORDER BY id DESC LIMIT ?)
     SELECT m.id, c.channel_id, c.dm_key, m.topic, m.shared_flags | COALESCE(f.flags, 0) AS bits
       FROM unread u JOIN messages m ON m.id = u.id
       JOIN conversations c ON c.id = m.conversation_id
       LEFT JOIN message_flags f ON f.user_id = ? AND f.message_id = m.id
      WHERE +m.realm_id = :realm ORDER BY m.id DESC`,
    [...unread.parameters, after, limit, userId],
  )
}

/** Ids of the messages a user starred, ascending. */
export const starredIds = (db: Reader, userId: number): number[] =>
  db
    .sql<{ message_id: number }>(
      `SELECT message_id FROM message_flags
        WHERE user_id = ? AND flags & ${FlagBit.starred} AND +realm_id = :realm ORDER BY message_id`,
      [userId],
    )
    .map((row) => row.message_id)

/** Direct conversations of a user, the one with the newest message first. `user_ids` are the others. */
export const recentConversations = (
  db: Reader,
  userId: number,
): { user_ids: number[]; max_message_id: number }[] =>
  db
    .sql<{ dm_key: string; max_message_id: number }>(
      `SELECT c.dm_key,
         (SELECT MAX(m.id) FROM messages m WHERE m.conversation_id = c.id) AS max_message_id
       FROM spans s JOIN conversations c ON c.id = s.conversation_id AND c.dm_key IS NOT NULL
       WHERE s.user_id = ? AND +s.realm_id = :realm AND max_message_id IS NOT NULL
       ORDER BY max_message_id DESC LIMIT ${MAX_RECENT_CONVERSATIONS}`,
      [userId],
    )
    .map(({ dm_key, max_message_id }) => ({
      user_ids: dmUserIds(dm_key).filter((other) => other !== userId),
      max_message_id,
    }))
