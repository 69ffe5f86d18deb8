import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path } from '../../http/params.ts'
import { mutedBy, muterIds } from '../muted-users/store.ts'
import { settingsOf } from '../user-settings/settings.ts'
import { accessibleUserIds, type Me } from '../users/access.ts'
import { usersByIds } from '../users/store.ts'
import { assertMayRead } from './access.ts'
import { IN_SPAN, readBy, RECEIVED_IN } from './flags.ts'

export const getReadReceipts = defineRoute({
  id: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Who has read a message, beside its sender',
  caller: 'user',
  params: { message_id: path(z.int()) },
  result: z.object({ user_ids: z.array(z.int()) }),
  run: (ctx, me, { message_id }) => {
    if (!ctx.realm.settings.enable_read_receipts) {
      throw new BadRequestError('Read receipts are disabled in this organization.')
    }
    assertMayRead(ctx, ctx.db, me, message_id)
    return { user_ids: readersShownTo(ctx, me, readerIds(ctx.db, message_id)) }
  },
})

/** Without those who keep to themselves what they read, and those of whom one of the two wants to hear nothing. */
function readersShownTo(ctx: RequestContext, me: Me, ids: readonly number[]): number[] {
  const { db } = ctx
  const known = accessibleUserIds(ctx, db, me)
  const apart = new Set([...muterIds(db, me.id), ...mutedBy(db, me.id).map(({ id }) => id)])
  return usersByIds(db, ids)
    .filter((user) => settingsOf(user).send_read_receipts)
    .map(({ id }) => id)
    .filter((id) => !apart.has(id) && (known?.has(id) ?? true))
}

/** The active people who received a message and have read it. */
const readerIds = (db: Reader, messageId: number): number[] =>
  db
    .sql<{ user_id: number }>(
      `SELECT u.id AS user_id FROM messages m
         JOIN spans s ON s.conversation_id = ${RECEIVED_IN} AND ${IN_SPAN}
         JOIN users u ON u.id = s.user_id AND u.is_active = 1 AND u.is_bot = 0 AND u.id <> m.sender_id
        WHERE m.id = ? AND m.realm_id = :realm
          AND ${readBy('u.id')}
        ORDER BY u.id`,
      [messageId],
    )
    .map((row) => row.user_id)
