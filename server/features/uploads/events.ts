import { z } from 'zod'
import { AttachmentObject } from './present.ts'

const attachment = <Op extends string, Shape extends z.ZodType>(op: Op, shape: Shape) =>
  z.strictObject({
    type: z.literal('attachment'),
    op: z.literal(op),
    attachment: shape,
    upload_space_used: z.int(),
  })

export const uploadEvents = [
  attachment('add', AttachmentObject),
  attachment('update', AttachmentObject),
  attachment('remove', z.strictObject({ id: z.int() })),
] as const
