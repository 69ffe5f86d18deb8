import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { AttachmentObject } from './present.ts'
import { attachmentsOf, presentAttachments, uploadSpaceUsed } from './store.ts'

export const getAttachments = defineRoute({
  id: 'get-attachments',
  method: 'GET',
  path: '/attachments',
  summary: 'The files that the user uploaded',
  caller: 'user',
  params: {},
  result: z.object({ attachments: z.array(AttachmentObject), upload_space_used: z.int() }),
  run: ({ db }, me) => ({
    attachments: presentAttachments(db, attachmentsOf(db, me.id)),
    upload_space_used: uploadSpaceUsed(db),
  }),
})
