import type { Reader } from '../../db/transaction.ts'
import { type Attachment, type AttachmentObject, presentAttachment } from './present.ts'

export const attachmentById = (db: Reader, id: number): Attachment | undefined =>
  db.first(db.q.selectFrom('attachments').selectAll().where('id', '=', id))

export const attachmentByPath = (db: Reader, pathId: string): Attachment | undefined =>
  db.first(db.q.selectFrom('attachments').selectAll().where('path_id', '=', pathId))

export const attachmentsOf = (db: Reader, ownerId: number): Attachment[] =>
  db.all(db.q.selectFrom('attachments').selectAll().where('owner_id', '=', ownerId).orderBy('id'))

/** Attachments that messages link to. */
export const attachmentsOfMessages = (db: Reader, messageIds: readonly number[]): Attachment[] =>
  db.sql(
    `SELECT * FROM attachments WHERE realm_id = :realm AND id IN (
       SELECT attachment_id FROM attachment_messages WHERE message_id IN (SELECT value FROM json_each(?)))
      ORDER BY id`,
    [JSON.stringify(messageIds)],
  )

/** Ids of the messages that link to a file. */
export const messageIdsOf = (db: Reader, attachmentId: number): number[] =>
  db
    .all(
      db.q.selectFrom('attachment_messages').select('message_id').where('attachment_id', '=', attachmentId),
    )
    .map((row) => row.message_id)

/** Whether a message in a web-public channel links to it. */
export const isInWebPublicChannel = (db: Reader, attachmentId: number): boolean =>
  db.sql(
    `SELECT 1 FROM attachment_messages a JOIN messages m ON m.id = a.message_id
       JOIN conversations c ON c.id = m.conversation_id JOIN channels h ON h.id = c.channel_id
      WHERE a.attachment_id = ? AND a.realm_id = :realm AND h.is_web_public = 1 AND h.is_archived = 0 LIMIT 1`,
    [attachmentId],
  ).length > 0

/** In bytes, of the whole organization. */
export const uploadSpaceUsed = (db: Reader): number =>
  db.sql<{ bytes: number }>(
    'SELECT COALESCE(SUM(size), 0) AS bytes FROM attachments WHERE realm_id = :realm',
  )[0]?.bytes ?? 0

export function presentAttachments(db: Reader, attachments: readonly Attachment[]): AttachmentObject[] {
  const rows = db.sql<{ attachment_id: number; id: number; timestamp: number }>(
    `SELECT a.attachment_id, m.id, m.timestamp FROM attachment_messages a JOIN messages m ON m.id = a.message_id
      WHERE a.realm_id = :realm AND a.attachment_id IN (SELECT value FROM json_each(?)) ORDER BY m.id`,
    [JSON.stringify(attachments.map(({ id }) => id))],
  )
  const byAttachment = new Map<number, (typeof rows)[number][]>()
  for (const row of rows) {
    const known = byAttachment.get(row.attachment_id)
    if (known) known.push(row)
    else byAttachment.set(row.attachment_id, [row])
  }
  return attachments.map((one) => presentAttachment(one, byAttachment.get(one.id) ?? []))
}
