import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { usableEmoji } from '../reactions/emoji.ts'
import { changeSettings } from '../user-settings/actions.ts'
import { idsWhoMayAccess } from '../users/access.ts'
import { noStatus, statusOf, storeStatus } from './store.ts'

/** In characters. */
const MAX_STATUS_LENGTH = 60

const StatusText = z
  .string()
  .trim()
  .refine(
    (status) => [...status].length <= MAX_STATUS_LENGTH,
    `status_text is too long: at most ${MAX_STATUS_LENGTH} characters`,
  )

export const updateStatus = defineRoute({
  id: 'update-status',
  method: 'POST',
  path: '/users/me/status',
  summary: 'Change the own status',
  caller: 'user',
  params: {
    status_text: text(StatusText.optional(), { description: 'Empty clears it.' }),
    emoji_name: text(z.string().optional(), { description: 'Empty clears it.' }),
    emoji_code: text(z.string().optional()),
    reaction_type: text(z.enum(['', 'unicode_emoji', 'realm_emoji', 'svc_extra_emoji']).optional()),
    away: text(z.boolean().optional(), { description: 'Deprecated: the setting `presence_enabled`.' }),
  },
  result: z.object({}),
  run: (ctx, me, { status_text, emoji_name, emoji_code, reaction_type, away }) => {
    if (emoji_name === undefined && (emoji_code || reaction_type))
      throw new BadRequestError(
        'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
      )
    if (status_text === undefined && emoji_name === undefined && away === undefined)
      throw new BadRequestError('Client did not pass any new values.')
    return ctx.transact((tx) => {
      const { status_text: _text, ...noEmoji } = noStatus
      const given = { emoji_code: emoji_code || undefined, reaction_type: reaction_type || undefined }
      const changes = {
        ...(status_text === undefined ? {} : { status_text }),
        ...(emoji_name === undefined
          ? {}
          : emoji_name === ''
            ? noEmoji
            : usableEmoji(tx, { emoji_name, ...given })),
      }
      storeStatus(tx, { ...statusOf(tx, me.id), ...changes })
      // Tells of it, too.
      if (away !== undefined) changeSettings(ctx, tx, me, { presence_enabled: !away })
      if (Object.keys(changes).length > 0) {
        const to = idsWhoMayAccess(ctx, tx, me)
        tx.emit({ type: 'user_status', user_id: me.id, ...changes }, { to })
      }
      return {}
    })
  },
})
