/** What changes about the organization's emoji, and who hears of it: everybody. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealmContext, Server } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { bit } from '../../db/tables.ts'
import { emojiPicture } from '../../services/images.ts'
import { writeIntoPlace } from '../../services/place-file.ts'
import { activeUserIds } from '../users/store.ts'
import type { RealmEmoji } from './present.ts'
import { allEmoji } from './store.ts'

/** Where the pictures of an organization's emoji are. */
export const emojiFolder = ({ folder }: Server, realmId: number): string =>
  join(folder.uploads, String(realmId), 'emoji')

/** The columns of an emoji's picture. */
export type StoredPicture = Pick<RealmEmoji, 'file_name' | 'still_file' | 'is_animated'>

/**
 * Puts a picture in its place, in the size of an emoji, then does what names it in the database; when that fails, the
 * picture goes again.
 * @throws UnusablePictureError
 */
export async function withEmojiPicture<T>(
  { server, realm }: RealmContext,
  input: string | Uint8Array,
  work: (picture: StoredPicture) => T,
): Promise<T> {
  const { bytes, ending, still } = await emojiPicture(input)
  const name = randomBytes(12).toString('hex')
  const folder = emojiFolder(server, realm.id)
  const file_name = `${name}.${ending}`
  const still_file = still ? `${name}-still.png` : null
  try {
    await writeIntoPlace(join(folder, file_name), bytes)
    if (still && still_file) await writeIntoPlace(join(folder, still_file), still)
    return work({ file_name, still_file, is_animated: bit(still !== null) })
  } catch (error) {
    for (const file of [file_name, still_file]) if (file) await rm(join(folder, file), { force: true })
    throw error
  }
}

export interface NewEmoji extends StoredPicture {
  name: string
  author_id: number | null
  source_file?: string
  source_hash?: string
}

export function addEmoji(tx: Tx, emoji: NewEmoji): void {
  tx.insert('realm_emoji', emoji)
  tellOfEmoji(tx)
}

/** Gives an emoji another picture. Its id stays, and with it the reactions. */
export function replacePicture(tx: Tx, id: number, picture: StoredPicture & { source_hash?: string }): void {
  tx.run(tx.q.updateTable('realm_emoji').set(picture).where('id', '=', id))
  tellOfEmoji(tx)
}

/** Takes an emoji away. Where it was used it is still shown. */
export function deactivateEmoji(tx: Tx, id: number): void {
  tx.run(tx.q.updateTable('realm_emoji').set({ deactivated: 1 }).where('id', '=', id))
  tellOfEmoji(tx)
}

function tellOfEmoji(tx: Tx): void {
  tx.emit({ type: 'realm_emoji', op: 'update', realm_emoji: allEmoji(tx) }, { to: activeUserIds(tx) })
}
