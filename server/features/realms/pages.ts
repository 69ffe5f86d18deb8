/** Pictures of organizations. */
import type { Page } from '../../http/define-page.ts'
import { initialsPicture } from '../../services/initials-picture.ts'
import { type PictureKind, realmPicture, realmPictureFile } from './pictures.ts'

const picture: Page = {
  path: /^\/realm\/(icon|logo|night_logo)$/,
  run: ({ server, db, realm }, _me, [kind = '']) => {
    const { file_name = null } = realmPicture(db, kind as PictureKind) ?? {}
    if (file_name === null) return { svg: initialsPicture(realm.name, realm.id) }
    return {
      file: realmPictureFile(server, realm.id, file_name),
      name: `${kind}.png`,
      contentType: 'image/png',
      // Its address changes with the picture.
      cacheSeconds: 7 * 86_400,
      isPublic: true,
    }
  },
}

export const realmPages = [picture]
