/** What changes about uploads, and who hears of it: the uploader. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { MIB } from '../../http/multipart.ts'
import type { UploadedFile } from '../../http/uploaded-file.ts'
import { contentTypeOf } from '../../services/content-type.ts'
import { shownFileName, storedFileName } from '../../services/file-names.ts'
import { moveIntoPlace } from '../../services/place-file.ts'
import type { User } from '../users/access.ts'
import { userById } from '../users/store.ts'
import { mayRead } from './access.ts'
import type { Attachment, AttachmentObject } from './present.ts'
import { attachmentByPath, attachmentsOfMessages, presentAttachments, uploadSpaceUsed } from './store.ts'

/**
 * Keeps an uploaded file: first the file, then its row, so that a row never lacks its file.
 * @throws BadRequestError when the organization's quota is used up
 */
export async function addUpload(ctx: RealmContext, me: User, file: UploadedFile): Promise<Attachment> {
  assertFits(ctx, uploadSpaceUsed(ctx.db), file.size)
  const name = shownFileName(file.name)
  const content_type = await contentTypeOf(file.path, name)
  const folder = `${randomBytes(1).toString('hex')}/${randomBytes(18).toString('base64url')}`
  const path_id = `${ctx.realm.id}/${folder}/${storedFileName(name)}`
  const place = join(ctx.server.folder.uploads, path_id)
  await moveIntoPlace(file.path, place)
  try {
    return ctx.transact((tx) => {
      assertFits(ctx, uploadSpaceUsed(tx), file.size)
      const row = {
        owner_id: me.id,
        name,
        path_id,
        content_type,
        size: file.size,
        create_time: ctx.server.now(),
      }
      const attachment = { ...row, id: tx.insert('attachments', row), realm_id: ctx.realm.id }
      tell(tx, 'add', [attachment])
      return attachment
    })
  } catch (error) {
    await rm(join(place, '..'), { recursive: true, force: true })
    throw error
  }
}

function assertFits({ realm }: RealmContext, used: number, size: number): void {
  const quota = realm.settings.upload_quota_mib
  if (quota !== null && used + size > quota * MIB) {
    throw new BadRequestError("Upload would exceed your organization's upload quota.")
  }
}

/**
 * Ties a message to exactly the files that it links to now. Of a file that its sender may not have, the link alone
 * opens nothing to anybody. Doing it twice changes nothing more.
 * @returns the files of which no message is left
 */
export function claimUploads(
  ctx: RealmContext,
  tx: Tx,
  message: { id: number; sender_id: number },
  pathIds: readonly string[],
): AttachmentObject[] {
  const before = attachmentsOfMessages(tx, [message.id])
  const linked = [...new Set(pathIds)].flatMap((pathId) => attachmentByPath(tx, pathId) ?? [])
  const known = new Set(before.map(({ id }) => id))
  const wanted = new Set(linked.map(({ id }) => id))
  const dropped = before.filter(({ id }) => !wanted.has(id))
  const sender = userById(tx, message.sender_id)
  const added = linked.filter(
    (one) => !known.has(one.id) && sender !== undefined && mayRead(ctx, tx, sender, one),
  )
  for (const { id } of dropped) {
    tx.run(
      tx.q
        .deleteFrom('attachment_messages')
        .where('message_id', '=', message.id)
        .where('attachment_id', '=', id),
    )
  }
  for (const { id } of added) {
    tx.insert('attachment_messages', { attachment_id: id, message_id: message.id })
  }
  tell(tx, 'update', [...added, ...dropped])
  return presentAttachments(tx, dropped).filter(({ messages }) => messages.length === 0)
}

/** Lets go of the files of messages that are about to be deleted. */
export function releaseUploads(tx: Tx, messageIds: readonly number[]): void {
  const attachments = attachmentsOfMessages(tx, messageIds)
  if (attachments.length === 0) return
  tx.runSql(
    'DELETE FROM attachment_messages WHERE realm_id = :realm AND message_id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(messageIds)],
  )
  tell(tx, 'update', attachments)
}

/** Ends access to a file. Its bytes go with the next sweep. */
export function deleteAttachment(tx: Tx, { id, owner_id }: Attachment): void {
  tx.run(tx.q.deleteFrom('attachments').where('id', '=', id))
  tx.emit(
    { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: uploadSpaceUsed(tx) },
    { to: [owner_id] },
  )
}

function tell(tx: Tx, op: 'add' | 'update', attachments: readonly Attachment[]): void {
  if (attachments.length === 0) return
  const upload_space_used = uploadSpaceUsed(tx)
  presentAttachments(tx, attachments).forEach((attachment, i) => {
    const owner = attachments[i]?.owner_id
    if (owner === undefined) return
    tx.emit({ type: 'attachment', op, attachment, upload_space_used }, { to: [owner] })
  })
}
