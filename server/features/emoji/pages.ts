/** The pictures of custom emoji: for everybody who knows where they are. */
import { extname, join } from 'node:path'
import type { Page } from '../../http/define-page.ts'
import { NotFoundError } from '../../http/errors.ts'
import { emojiFolder } from './actions.ts'

const YEAR = 365 * 86_400

const contentTypes: Record<string, string> = {
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

const picture: Page = {
  path: /^\/user_avatars\/(\d+)\/emoji\/images\/([^/]+)$/,
  realmIdAt: 0,
  run: ({ server, realm }, _me, [, name = '']) => {
    const contentType = contentTypes[extname(name)]
    if (contentType === undefined || /[/\\\0]|^\./.test(name))
      throw new NotFoundError('There is no such picture')
    return {
      file: join(emojiFolder(server, realm.id), name),
      name,
      contentType,
      cacheSeconds: YEAR,
      isPublic: true,
    }
  },
}

export const emojiPages = [picture]
