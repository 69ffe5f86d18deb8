/** Pictures of users. */
import type { Page } from '../../http/define-page.ts'
import { NotFoundError } from '../../http/errors.ts'
import { initialsPicture } from '../../services/initials-picture.ts'
import { avatarFile } from './avatar-actions.ts'
import { userById } from './store.ts'

const avatar: Page = {
  path: /^\/avatar\/(\d+)(?:\/(medium))?$/,
  run: (ctx, _me, [id, medium]) => {
    // Somebody whom the one who looks may not know.
    if (id === '0') return { svg: initialsPicture('?', 0) }
    const user = userById(ctx.db, Number(id))
    if (!user) throw new NotFoundError('There is no such picture')
    const { avatar_file } = user
    if (avatar_file === null) return { svg: initialsPicture(user.full_name, user.id) }
    return {
      file: avatarFile(ctx.server, ctx.realm.id, avatar_file, medium !== ''),
      name: 'avatar.png',
      contentType: 'image/png',
      // Its address changes with the picture.
      cacheSeconds: 7 * 86_400,
      isPublic: true,
    }
  },
}

export const userPages = [avatar]
