import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { readableIds } from './access.ts'
import { MAX_MESSAGES } from './get-messages.ts'
import { idsThatFit, narrowToSql } from './narrow/narrow.ts'
import { Narrow } from './narrow/terms.ts'
import { inTurns } from './narrow/turns.ts'
import { matchesOf } from './search/matches.ts'

export const matchesNarrow = defineRoute({
  id: 'check-messages-match-narrow',
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Which of some messages fit a narrow, and how they match its search',
  caller: 'user',
  params: { msg_ids: json(z.array(z.int()).max(MAX_MESSAGES)), narrow: json(Narrow) },
  result: z.object({
    messages: z.record(z.string(), z.strictObject({ match_content: z.string(), match_subject: z.string() })),
  }),
  run: async (ctx, me, { msg_ids, narrow }) => {
    const fits = narrowToSql({ ctx, db: ctx.db, me }, narrow, 'any')
    const found = await inTurns(idsThatFit(ctx.db, msg_ids, fits), ctx)
    const ids = readableIds(ctx, ctx.db, me, found)
    return { messages: Object.fromEntries(matchesOf(ctx.db, ids, fits.phrases, true)) }
  },
})
