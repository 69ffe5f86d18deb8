/** Pictures of users. */
import type { Page } from '../../http/define-page.ts'
import { NotFoundError } from '../../http/errors.ts'
import { initialsPicture } from '../../services/initials-picture.ts'
import { userById } from './store.ts'

const avatar: Page = {
  path: /^\/avatar\/(\d+)(?:\/(medium))?$/,
  run: (ctx, _me, [id]) => {
    // Somebody whom the one who looks may not know.
    if (id === '0') return { svg: initialsPicture('?', 0) }
    const user = userById(ctx.db, Number(id))
    if (!user) throw new NotFoundError('There is no such picture')
    return { svg: initialsPicture(user.full_name, user.id) }
  },
}

export const userPages = [avatar]
