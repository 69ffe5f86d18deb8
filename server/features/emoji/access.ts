/** Who may change the organization's emoji. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError } from '../../http/errors.ts'
import { realmPermission } from '../realms/store.ts'
import { holds } from '../user-groups/access.ts'
import type { Me } from '../users/access.ts'
import { isAdministrator } from '../users/roles.ts'
import { isBuiltIn } from './names.ts'
import type { RealmEmoji } from './present.ts'
import { emojiByName } from './store.ts'

class NoSuchEmojiError extends BadRequestError {
  override readonly status = 404
  constructor(name: string) {
    super(`Emoji '${name}' does not exist`)
  }
}

/** @throws BadRequestError when the user may not add an emoji of this name */
export function assertMayAdd(ctx: RealmContext, db: Reader, me: Me, name: string): void {
  const permission = realmPermission(db, ctx.realm, 'can_add_custom_emoji_group')
  if (!holds(db, ctx.realm, permission, me, ctx.server.now() / 1000)) {
    throw new BadRequestError('Insufficient permission')
  }
  if (isBuiltIn(name) && !isAdministrator(me)) {
    throw new BadRequestError('Only administrators can override default emoji.')
  }
  assertFree(db, name)
}

/** @throws BadRequestError when the organization has an emoji of this name */
export function assertFree(db: Reader, name: string): void {
  if (emojiByName(db, name)) throw new BadRequestError('A custom emoji with this name already exists.')
}

/** An emoji that the user may take away: an own one, or any. @throws BadRequestError */
export function emojiToRemove(db: Reader, me: Me, name: string): RealmEmoji {
  const emoji = emojiByName(db, name)
  if (!emoji) throw new NoSuchEmojiError(name)
  if (!isAdministrator(me) && emoji.author_id !== me.id) {
    throw new BadRequestError('Must be an organization administrator or emoji author')
  }
  return emoji
}
