import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, text } from '../../http/params.ts'
import { stillReadableIds } from './access.ts'
import { Anchor, findAround } from './anchor.ts'
import { changeFlag } from './flag-actions.ts'
import { narrowToSql } from './narrow/narrow.ts'
import { Narrow } from './narrow/terms.ts'
import { inTurns } from './narrow/turns.ts'
import { assertEditable, ignoredChannels } from './update-flags.ts'

/** Messages one request changes at the most, so that no transaction holds up the others for long. */
const MAX_RANGE = 5000

export const updateFlagsForNarrow = defineRoute({
  id: 'update-message-flags-for-narrow',
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: 'Set or clear a flag on a range of the messages of a narrow',
  caller: 'user',
  params: {
    anchor: text(Anchor, { description: 'A message id, `newest`, `oldest` or `first_unread`.' }),
    include_anchor: text(z.boolean().default(true)),
    num_before: text(z.int().min(0)),
    num_after: text(z.int().min(0)),
    narrow: json(Narrow),
    op: text(z.enum(['add', 'remove'])),
    flag: text(z.string()),
  },
  result: z.object({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  run: async (ctx, me, { anchor, include_anchor, num_before, num_after, narrow, op, flag }) => {
    assertEditable(flag)
    const before = Math.min(num_before, MAX_RANGE)
    const after = Math.min(num_after, MAX_RANGE - before)
    const { sequence } = ctx.server.database
    const fits = narrowToSql({ ctx, db: ctx.db, me }, narrow)
    const {
      ids: found,
      found_oldest,
      found_newest,
    } = await inTurns(findAround(ctx.db, me, fits, anchor, before, after, include_anchor))
    return ctx.transact((tx) => {
      // What was found in an earlier turn may be gone, or closed to them, in a later one.
      const ids = stillReadableIds(ctx, tx, me, found, sequence)
      const outcome = changeFlag(tx, me, ids, flag, op)
      return {
        processed_count: ids.length,
        updated_count: outcome.changed.length,
        first_processed_id: ids[0] ?? null,
        last_processed_id: ids.at(-1) ?? null,
        found_oldest,
        found_newest,
        ...ignoredChannels(outcome, flag, op),
      }
    })
  },
})
