/** Conversations, and what of each a user received. */
import { Kept } from '../../db/kept.ts'
import { statement } from '../../db/statement.ts'
import type { Reader, Tx } from '../../db/transaction.ts'
import { userById } from '../users/store.ts'

const byChannel = statement((q, channelId: number) =>
  q.selectFrom('conversations').select('id').where('channel_id', '=', channelId),
)
const byDmKey = statement((q, key: string) =>
  q.selectFrom('conversations').select('id').where('dm_key', '=', key),
)
const newest = statement((q) => q.selectFrom('messages').select('id').orderBy('id', 'desc').limit(1))

/** Id of a channel's conversation: the `recipient_id` of its messages. */
export function conversationOfChannel(db: Reader, channelId: number): number {
  const row = db.first(byChannel(channelId))
  if (!row) throw new Error(`Channel ${channelId} has no conversation`)
  return row.id
}

/** The users of a direct message as the key of their conversation. */
export const dmKey = (userIds: readonly number[]): string =>
  [...new Set(userIds)].sort((a, b) => a - b).join(',')

export const dmUserIds = (key: string): number[] => key.split(',').map(Number)

/** Id of the conversation between exactly these users, if they ever had one. */
export function findDirectConversation(db: Reader, userIds: readonly number[]): number | undefined {
  return db.first(byDmKey(dmKey(userIds)))?.id
}

/** {@link findDirectConversation}, made where there was none. */
export function directConversation(tx: Tx, userIds: readonly number[]): number {
  const known = findDirectConversation(tx, userIds)
  if (known !== undefined) return known
  const id = tx.insert('conversations', { channel_id: null, dm_key: dmKey(userIds) })
  forgetReceivers(tx, id)
  for (const userId of new Set(userIds)) {
    tx.insert('spans', { user_id: userId, conversation_id: id, from_id: 0, to_id: null })
  }
  return id
}

const inOpenSpan = statement((q, conversationId: number) =>
  q
    .selectFrom('spans')
    .select('user_id')
    .where('conversation_id', '=', conversationId)
    .where('to_id', 'is', null),
)

/** Who is in open spans of a conversation, by its id: of those that were lately written to. */
const receivers = new Kept<Map<number, readonly number[]>>(() => new Map())
const KEPT_CONVERSATIONS = 1000

const forgetReceivers = (tx: Tx, conversationId: number): void =>
  receivers.amend(tx, (kept) => kept.delete(conversationId))

/** Ids of the active users who receive what is sent to a conversation now. */
export function receiverIds(db: Reader, conversationId: number): number[] {
  const kept = receivers.of(db)
  let ids = kept.get(conversationId)
  if (!ids) {
    ids = db.all(inOpenSpan(conversationId)).map((row) => row.user_id)
    if (kept.size >= KEPT_CONVERSATIONS) kept.clear()
    kept.set(conversationId, ids)
  }
  return ids.filter((id) => userById(db, id)?.is_active === 1)
}

/** From now on the users receive the conversation's messages. What was there before does not count as unread. */
export function openSpans(tx: Tx, userIds: readonly number[], conversationId: number): void {
  forgetReceivers(tx, conversationId)
  const parameters = [JSON.stringify(userIds), conversationId, newestMessageId(tx)]
  tx.runSql(
    `INSERT INTO read_cursors (realm_id, user_id, conversation_id, read_through)
     SELECT :realm, value, ?2, ?3 FROM json_each(?1) WHERE true
     ON CONFLICT (user_id, conversation_id) DO NOTHING`,
    parameters,
  )
  // Left and joined again without a message in between: the old span goes on.
  tx.runSql(
    `UPDATE spans SET to_id = NULL WHERE realm_id = :realm AND user_id IN (SELECT value FROM json_each(?1))
        AND conversation_id = ?2 AND to_id = ?3`,
    parameters,
  )
  tx.runSql(
    `INSERT INTO spans (realm_id, user_id, conversation_id, from_id)
     SELECT :realm, value, ?2, ?3 FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM spans s
       WHERE s.user_id = value AND s.conversation_id = ?2 AND s.to_id IS NULL)`,
    parameters,
  )
}

/** The users receive nothing more of the conversation, and keep what was received. */
export function closeSpans(tx: Tx, userIds: readonly number[], conversationId: number): void {
  forgetReceivers(tx, conversationId)
  tx.runSql(
    `UPDATE spans SET to_id = ?3 WHERE realm_id = :realm AND user_id IN (SELECT value FROM json_each(?1))
        AND conversation_id = ?2 AND to_id IS NULL`,
    [JSON.stringify(userIds), conversationId, newestMessageId(tx)],
  )
}

/** Id of the newest message of the realm; 0 before the first. */
export function newestMessageId(db: Reader): number {
  return db.first(newest())?.id ?? 0
}
