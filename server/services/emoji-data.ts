/** Emoji: the names of characters, the organization's own pictures, and Parley's one. */
import type { Reader } from '../db/transaction.ts'
import namesByCode from './emoji-names.json'

/** An emoji as messages and reactions carry it (specification, "Reaction"). */
export interface Emoji {
  emoji_name: string
  /** Of `unicode_emoji` the code points in hex with dashes; of `realm_emoji` the id of its row; else the name. */
  emoji_code: string
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'svc_extra_emoji'
}

/** The name of the one picture that every organization has. */
export const EXTRA_EMOJI = 'parley'

const codeByName = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) => names.map((name) => [name, code] as const)),
)

/** The code of a character by any of its names. */
export const codeOfEmoji = (name: string): string | undefined => codeByName.get(name)

/** The names of a character, the usual one first; none for what is not a known emoji. */
export const namesOfEmoji = (code: string): readonly string[] =>
  Object.hasOwn(namesByCode, code) ? namesByCode[code as keyof typeof namesByCode] : []

/** A name as it is compared: custom emoji are called with spaces or underscores, in any case. */
export const emojiKey = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

/** What several names stand for in this organization; its own pictures win over characters. */
export function findEmojis(db: Reader, names: readonly string[]): Map<string, Emoji> {
  const own = db.sql<{ id: number; name: string }>(
    `SELECT id, name FROM realm_emoji
      WHERE realm_id = :realm AND deactivated = 0 AND name IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...new Set(names.map(emojiKey))])],
  )
  const ids = new Map(own.map(({ id, name }) => [name, id]))
  const found = new Map<string, Emoji>()
  for (const name of names) {
    const id = ids.get(emojiKey(name))
    const code = codeOfEmoji(name)
    if (id !== undefined) {
      found.set(name, { emoji_name: emojiKey(name), emoji_code: String(id), reaction_type: 'realm_emoji' })
    } else if (name === EXTRA_EMOJI) {
      found.set(name, { emoji_name: name, emoji_code: name, reaction_type: 'svc_extra_emoji' })
    } else if (code !== undefined) {
      found.set(name, { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' })
    }
  }
  return found
}

/** What a name, without its colons, stands for in this organization. */
export const findEmoji = (db: Reader, name: string): Emoji | undefined => findEmojis(db, [name]).get(name)

/** Where the picture of an organization's emoji is, below its address. */
export function realmEmojiAddress(db: Reader, { emoji_code }: Emoji): string {
  const row = db.first(
    db.q.selectFrom('realm_emoji').select('file_name').where('id', '=', Number(emoji_code)),
  )
  return `/user_avatars/${db.realmId}/emoji/images/${encodeURIComponent(row?.file_name ?? '')}`
}

export const extraEmojiAddress = `/static/emoji/${EXTRA_EMOJI}.svg`

/** The body of `server_emoji_data_url`. */
export const emojiDataJson = JSON.stringify({ code_to_names: namesByCode })

/** A face in a speech bubble, for {@link EXTRA_EMOJI}. */
export const extraEmojiPicture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#2f6fde" d="M32 5C16 5 4 15 4 28c0 8 4 14 11 18l-3 13 14-9 6 1c16 0 28-10 28-23S48 5 32 5z"/><g fill="#fff"><circle cx="23" cy="24" r="4"/><circle cx="41" cy="24" r="4"/><path d="M20 33c5 10 19 10 24 0z"/></g></svg>'
