import type { Reader, Tx } from '../../db/transaction.ts'
import type { Emoji } from '../../services/emoji-data.ts'

type ReactionRow = Emoji & { user_id: number }

/** All reactions to a message, the oldest first. */
export const reactionsTo = (db: Reader, messageId: number): ReactionRow[] =>
  db.sql(
    `SELECT user_id, emoji_name, emoji_code, reaction_type FROM reactions
      WHERE message_id = ? AND realm_id = :realm ORDER BY id`,
    [messageId],
  )

/** Answers whether there was such a reaction. */
export function deleteReaction(tx: Tx, messageId: number, userId: number, emoji: Emoji): boolean {
  const query = tx.q
    .deleteFrom('reactions')
    .where('message_id', '=', messageId)
    .where('user_id', '=', userId)
    .where('reaction_type', '=', emoji.reaction_type)
    .where('emoji_code', '=', emoji.emoji_code)
  return tx.run(query) > 0
}
