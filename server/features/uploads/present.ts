/** Attachments as their uploader sees them (specification, "Attachment"). */
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'

export const AttachmentObject = z.strictObject({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.strictObject({ id: z.int(), date_sent: z.int() })),
})
export type AttachmentObject = z.output<typeof AttachmentObject>

export type Attachment = Row<'attachments'>

/** @param messages those that link to it, with their times in UNIX seconds */
export const presentAttachment = (
  { id, name, path_id, size, create_time }: Attachment,
  messages: readonly { id: number; timestamp: number }[],
): AttachmentObject => ({
  id,
  name,
  path_id,
  size,
  create_time,
  messages: messages.map((message) => ({ id: message.id, date_sent: message.timestamp * 1000 })),
})
