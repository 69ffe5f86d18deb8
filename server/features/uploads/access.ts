/** Files that their reader may have. */
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError, ForbiddenError, NotFoundError, UnauthorizedError } from '../../http/errors.ts'
import { readableIds } from '../messages/access.ts'
import type { Me, User } from '../users/access.ts'
import type { Attachment } from './present.ts'
import { attachmentById, attachmentByPath, isInWebPublicChannel, messageIdsOf } from './store.ts'

/** A file is for its uploader, and for those who may read a message that links to it. */
export function mayRead(ctx: RealmContext, db: Reader, user: User, attachment: Attachment): boolean {
  return (
    attachment.owner_id === user.id || readableIds(ctx, db, user, messageIdsOf(db, attachment.id)).length > 0
  )
}

/**
 * A file to be read.
 * @param me null for somebody without an account
 * @throws NotFoundError, UnauthorizedError, ForbiddenError
 */
export function uploadToRead(ctx: RealmContext, db: Reader, me: Me | null, pathId: string): Attachment {
  const attachment = attachmentByPath(db, pathId)
  if (!attachment) throw new NotFoundError('There is no such file')
  if (me === null) {
    if (isOpenToSpectators(ctx) && isInWebPublicChannel(db, attachment.id)) return attachment
    throw new UnauthorizedError()
  }
  if (!mayRead(ctx, db, me, attachment)) throw new ForbiddenError('You may not view this file')
  return attachment
}

const isOpenToSpectators = ({ server, realm }: RealmContext): boolean =>
  server.config.webPublicStreamsEnabled && realm.settings.enable_spectator_access && !realm.isDeactivated

/** An own file, to be deleted. @throws BadRequestError */
export function attachmentToDelete(db: Reader, me: Me, id: number): Attachment {
  const attachment = attachmentById(db, id)
  if (attachment?.owner_id !== me.id) throw new BadRequestError('Invalid attachment')
  return attachment
}
