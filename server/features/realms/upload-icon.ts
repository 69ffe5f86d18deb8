import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { uploadRealmPicture as upload } from './pictures.ts'

export const uploadIcon = defineRoute({
  id: 'upload-icon',
  method: 'POST',
  path: '/realm/icon',
  summary: 'Give the organization an icon; for administrators',
  caller: 'user',
  params: { filename: file(mebibytes('maxIconFileSizeMib')) },
  result: z.object({}),
  run: async (ctx, me, { filename }) => {
    assertAdministrator(me)
    await upload(ctx, 'icon', filename.path)
    return {}
  },
})
