/** Pictures of organizations. */
import type { Page } from '../../http/define-page.ts'
import { initialsPicture } from '../../services/initials-picture.ts'

const icon: Page = {
  path: /^\/icon\.svg$/,
  run: ({ realm }) => ({ svg: initialsPicture(realm.name, realm.id) }),
}

export const realmPages = [icon]
