import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file } from '../../http/params.ts'
import { assertMayChangeAvatar, uploadAvatar as upload } from './avatar-actions.ts'

export const uploadAvatar = defineRoute({
  id: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  summary: 'Have a picture of your own',
  caller: 'user',
  params: { filename: file(mebibytes('maxAvatarFileSizeMib')) },
  result: z.object({ avatar_url: z.string() }),
  run: async (ctx, me, { filename }) => {
    assertMayChangeAvatar(ctx, me)
    return { avatar_url: await upload(ctx, me, filename.path) }
  },
})
