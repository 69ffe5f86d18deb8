import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { MAX_MESSAGES } from './get-messages.ts'
import { idsThatFit, narrowToSql } from './narrow/narrow.ts'
import { Narrow } from './narrow/terms.ts'
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
  run: (ctx, me, { msg_ids, narrow }) => {
    const asking = { ctx, db: ctx.db, me }
    const fits = narrowToSql(asking, narrow, 'any')
    const ids = idsThatFit(asking, msg_ids, fits)
    return { messages: Object.fromEntries(matchesOf(ctx.db, ids, fits.search?.phrases ?? [], true)) }
  },
})
