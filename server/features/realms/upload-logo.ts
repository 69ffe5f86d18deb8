import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file, text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { uploadRealmPicture as upload } from './pictures.ts'

export const uploadLogo = defineRoute({
  id: 'upload-logo',
  method: 'POST',
  path: '/realm/logo',
  summary: 'Give the organization a logo; for administrators',
  caller: 'user',
  params: {
    filename: file(mebibytes('maxLogoFileSizeMib')),
    night: text(z.boolean().default(false), { description: 'The one for dark pages.' }),
  },
  result: z.object({}),
  run: async (ctx, me, { filename, night }) => {
    assertAdministrator(me)
    await upload(ctx, night ? 'night_logo' : 'logo', filename.path)
    return {}
  },
})
