/** Drafts, their content, and whether the user keeps them here at all. */
import { z } from 'zod'
import type { RealmContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError, NotThereError } from '../../http/errors.ts'
import { channelToSee } from '../channels/access.ts'
import { nameTopic } from '../messages/topics.ts'
import { MAX_MESSAGE_LENGTH } from '../realms/settings.ts'
import { settingsOf } from '../user-settings/settings.ts'
import type { Me } from '../users/access.ts'
import { usersByIds } from '../users/store.ts'
import { draftById, type DraftRow } from './store.ts'

export const DraftInput = z.strictObject({
  /** Clients that send a draft back as they got it send its id too. */
  id: z.int().optional(),
  type: z.enum(['', 'stream', 'private']),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int().min(0, 'Timestamp must not be negative.').optional(),
})
export type DraftInput = z.output<typeof DraftInput>

/** @throws BadRequestError when the user's drafts stay on the user's devices */
export function assertSynchronizesDrafts(me: Me): void {
  if (!settingsOf(me).enable_drafts_synchronization)
    throw new BadRequestError('User has disabled synchronizing drafts.')
}

/** @throws NotThereError when there is no such draft of this user */
export function ownDraft(db: Reader, me: Me, id: number): DraftRow {
  const draft = draftById(db, id)
  if (draft?.user_id !== me.id) throw new NotThereError('Draft does not exist')
  return draft
}

/**
 * What of a draft is stored.
 * @throws BadRequestError when it could never become a message: for a channel not to be seen, users who are not
 *   there, or content that is empty or too long
 */
export function parseDraft(ctx: RealmContext, db: Reader, me: Me, given: DraftInput) {
  const { type, to } = given
  const content = given.content.trimEnd()
  if (content.trim() === '') throw new BadRequestError('Message must not be empty')
  if ([...content].length > MAX_MESSAGE_LENGTH) {
    throw new BadRequestError(`Message is too long: at most ${MAX_MESSAGE_LENGTH} characters`)
  }
  if (`${content}${given.topic}`.includes('\0'))
    throw new BadRequestError('Message must not contain null bytes')
  if (type === 'stream') {
    const [id, ...more] = to
    if (id === undefined || more.length > 0)
      throw new BadRequestError('Must specify exactly 1 channel ID for channel messages')
    channelToSee(ctx, db, me, id)
  } else if (type === 'private' && usersByIds(db, to).length < new Set(to).size) {
    throw new BadRequestError('Invalid user ID')
  }
  return {
    type,
    recipients: JSON.stringify(type === '' ? [] : [...new Set(to)]),
    topic: type === 'stream' ? nameTopic(given.topic) : '',
    content,
    timestamp: given.timestamp ?? Math.floor(ctx.server.now() / 1000),
  }
}
