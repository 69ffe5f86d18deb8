/** The uploaded files themselves. */
import { join } from 'node:path'
import type { RealmContext } from '../../context.ts'
import type { Page } from '../../http/define-page.ts'
import type { FileReply } from '../../http/send-file.ts'
import { uploadToRead } from './access.ts'
import type { Attachment } from './present.ts'
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

export const uploadPages = [upload, temporary]
