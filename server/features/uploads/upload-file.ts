import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file } from '../../http/params.ts'
import { addUpload } from './actions.ts'

export const uploadFile = defineRoute({
  id: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  summary: 'Upload a file, to link to it in messages',
  caller: 'user',
  params: { filename: file(mebibytes('maxFileUploadSizeMib')) },
  result: z.object({ url: z.string(), uri: z.string(), filename: z.string() }),
  run: async (ctx, me, { filename }) => {
    const { name, path_id } = await addUpload(ctx, me, filename)
    const url = `/user_uploads/${path_id}`
    return { url, uri: url, filename: name }
  },
})
