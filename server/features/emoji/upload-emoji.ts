import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { mebibytes } from '../../http/multipart.ts'
import { file, path } from '../../http/params.ts'
import { assertMayAdd } from './access.ts'
import { addEmoji, withEmojiPicture } from './actions.ts'
import { parseEmojiName } from './names.ts'

export const uploadEmoji = defineRoute({
  id: 'upload-custom-emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Add an emoji of your own',
  caller: 'user',
  params: { emoji_name: path(z.string()), filename: file(mebibytes('maxEmojiFileSizeMib')) },
  result: z.object({}),
  run: async (ctx, me, { emoji_name, filename }) => {
    const name = parseEmojiName(emoji_name)
    assertMayAdd(ctx, ctx.db, me, name)
    await withEmojiPicture(ctx, filename.path, (picture) =>
      ctx.transact((tx) => {
        assertMayAdd(ctx, tx, me, name)
        addEmoji(tx, { ...picture, name, author_id: me.id })
      }),
    )
    return {}
  },
})
