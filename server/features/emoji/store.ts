import type { Reader } from '../../db/transaction.ts'
import { type EmojiObject, presentEmoji, type RealmEmoji } from './present.ts'

/** All emoji of the organization, the deactivated too, by id. */
export const allEmoji = (db: Reader): Record<string, EmojiObject> =>
  Object.fromEntries(
    db
      .all(db.q.selectFrom('realm_emoji').selectAll().orderBy('id'))
      .map((row) => [String(row.id), presentEmoji(row)]),
  )

export const activeEmoji = (db: Reader): RealmEmoji[] =>
  db.all(db.q.selectFrom('realm_emoji').selectAll().where('deactivated', '=', 0).orderBy('id'))

export const emojiByName = (db: Reader, name: string): RealmEmoji | undefined =>
  db.first(db.q.selectFrom('realm_emoji').selectAll().where('name', '=', name).where('deactivated', '=', 0))
