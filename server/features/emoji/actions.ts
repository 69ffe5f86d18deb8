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
import { allEmoji, emojiByName } from './store.ts'

/** Where the pictures of an organization's emoji are. */
export const emojiFolder = ({ folder }: Server, realmId: number): string =>
  join(folder.uploads, String(realmId), 'emoji')

/** The columns of an emoji's picture. */
export type StoredPicture = Pick<RealmEmoji, 'file_name' | 'still_file' | 'is_animated'>

/**
 * Puts a picture in its place, in the size of an emoji.
 * @throws UnusablePictureError
 */
export async function placePicture(
  { server, realm }: RealmContext,
  input: string | Uint8Array,
): Promise<StoredPicture> {
  const { bytes, ending, still } = await emojiPicture(input)
  const name = randomBytes(12).toString('hex')
  const folder = emojiFolder(server, realm.id)
  const file_name = `${name}.${ending}`
  const still_file = still ? `${name}-still.png` : null
  const picture = { file_name, still_file, is_animated: bit(still !== null) }
  try {
    await writeIntoPlace(join(folder, file_name), bytes)
    if (still && still_file) await writeIntoPlace(join(folder, still_file), still)
    return picture
  } catch (error) {
    await removePicture({ server, realm }, picture)
    throw error
  }
}

export async function removePicture(
  { server, realm }: Pick<RealmContext, 'server' | 'realm'>,
  { file_name, still_file }: StoredPicture,
): Promise<void> {
  const folder = emojiFolder(server, realm.id)
  for (const file of [file_name, still_file]) if (file) await rm(join(folder, file), { force: true })
}

/**
 * Puts a picture in its place, then does what names it in the database; when that fails, the picture goes again.
 * @throws UnusablePictureError
 */
export async function withEmojiPicture<T>(
  ctx: RealmContext,
  input: string | Uint8Array,
  work: (picture: StoredPicture) => T,
): Promise<T> {
  const picture = await placePicture(ctx, input)
  try {
    return work(picture)
  } catch (error) {
    await removePicture(ctx, picture)
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

export interface EmojiChange {
  name: string
  picture: StoredPicture
}

/** Adds many emoji at once, in place of those that have their names. @returns the names of those that were replaced */
export function takeInEmoji(tx: Tx, changes: readonly EmojiChange[]): { replaced: Set<string> } {
  const replaced = new Set<string>()
  for (const { name, picture } of changes) {
    const known = emojiByName(tx, name)
    if (known) {
      tx.run(tx.q.updateTable('realm_emoji').set(picture).where('id', '=', known.id))
      replaced.add(name)
    } else tx.insert('realm_emoji', { ...picture, name, author_id: null })
  }
  if (changes.length > 0) tellOfEmoji(tx)
  return { replaced }
}

/** Takes an emoji away. Where it was used it is still shown. */
export function deactivateEmoji(tx: Tx, id: number): void {
  tx.run(tx.q.updateTable('realm_emoji').set({ deactivated: 1 }).where('id', '=', id))
  tellOfEmoji(tx)
}

function tellOfEmoji(tx: Tx): void {
  tx.emit({ type: 'realm_emoji', op: 'update', realm_emoji: allEmoji(tx) }, { to: activeUserIds(tx) })
}
