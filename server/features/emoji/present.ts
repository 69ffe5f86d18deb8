/** Custom emoji as clients see them. */
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'

export const EmojiObject = z.strictObject({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
})
export type EmojiObject = z.output<typeof EmojiObject>
/** By id. */
export const EmojiObjects = z.record(z.string(), EmojiObject)

export type RealmEmoji = Row<'realm_emoji'>

/** Where a picture is, below the server's address: it does not depend on who asks, and from where. */
const emojiUrl = (realmId: number, fileName: string): string =>
  `/user_avatars/${realmId}/emoji/images/${encodeURIComponent(fileName)}`

export const presentEmoji = (row: RealmEmoji): EmojiObject => ({
  id: String(row.id),
  name: row.name,
  source_url: emojiUrl(row.realm_id, row.file_name),
  still_url: row.still_file === null ? null : emojiUrl(row.realm_id, row.still_file),
  deactivated: row.deactivated === 1,
  author_id: row.author_id,
})
