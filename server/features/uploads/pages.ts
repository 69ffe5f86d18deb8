/** The uploaded files themselves. */
import { join } from 'node:path'
import type { RealmContext } from '../../context.ts'
import type { Page } from '../../http/define-page.ts'
import { NotFoundError } from '../../http/errors.ts'
import type { FileReply } from '../../http/send-file.ts'
import { thumbnailFormats } from '../../services/images.ts'
import { uploadToRead } from './access.ts'
import type { Attachment } from './present.ts'
import { isPicture, thumbnailOf } from './thumbnails.ts'
import { uploadByTicket } from './temporary-url.ts'

/** The file behind an address stays the same; who may have it can change. */
const CACHE_SECONDS = 3600

const upload: Page = {
  path: /^\/user_uploads\/(\d+)\/([^/]+\/[^/]+\/[^/]+)$/,
  realmIdAt: 0,
  run: (ctx, me, [realm, rest]) => fileOf(ctx, uploadToRead(ctx, ctx.db, me, `${realm}/${rest}`)),
}

const temporary: Page = {
  path: /^\/user_uploads\/temporary\/([\w-]+)\/((\d+)\/[^/]+\/[^/]+\/[^/]+)$/,
  realmIdAt: 2,
  run: (ctx, _me, [ticket = '', pathId = '']) => fileOf(ctx, uploadByTicket(ctx, ticket, pathId)),
}

const fileOf = ({ server }: RealmContext, { path_id, name, content_type }: Attachment): FileReply => ({
  file: join(server.folder.uploads, path_id),
  name,
  contentType: content_type,
  cacheSeconds: CACHE_SECONDS,
})

const small: Page = {
  path: /^\/user_uploads\/thumbnail\/((\d+)\/[^/]+\/[^/]+\/[^/]+)\/([^/]+)$/,
  realmIdAt: 1,
  run: async (ctx, me, [pathId = '', , name = '']) => {
    const attachment = uploadToRead(ctx, ctx.db, me, pathId)
    const format = thumbnailFormats.find((one) => one.name === name)
    if (!format || !isPicture(attachment)) throw new NotFoundError('There is no such picture')
    return { ...fileOf(ctx, attachment), ...(await thumbnailOf(ctx.server, attachment, format)) }
  },
}

export const uploadPages = [upload, temporary, small]
