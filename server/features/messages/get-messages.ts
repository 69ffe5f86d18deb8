import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError, MissingParameterError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { readableIds, stillReadableIds } from './access.ts'
import { Anchor, findAround } from './anchor.ts'
import type { Fits } from './narrow/condition.ts'
import { idsThatFit, narrowToSql } from './narrow/narrow.ts'
import { assertForSpectators } from './narrow/spectators.ts'
import { Narrow } from './narrow/terms.ts'
import { inTurns } from './narrow/turns.ts'
import { MessageObject, presentMessages } from './present.ts'
import { matchesOf } from './search/matches.ts'

export const MAX_MESSAGES = 5000

/** A search tells what it found. */
const FoundMessage = z.strictObject({
  ...MessageObject.shape,
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
})

export const getMessages = defineRoute({
  id: 'get-messages',
  method: 'GET',
  path: '/messages',
  summary: 'Messages around an anchor that fit a narrow',
  caller: 'user or nobody',
  params: {
    anchor: text(Anchor.optional(), { description: 'A message id, `newest`, `oldest` or `first_unread`.' }),
    include_anchor: text(z.boolean().default(true)),
    num_before: text(z.int().min(0).optional()),
    num_after: text(z.int().min(0).optional()),
    narrow: json(Narrow.default([])),
    message_ids: json(z.array(z.int()).max(MAX_MESSAGES).optional()),
    apply_markdown: text(z.boolean().default(true)),
    client_extavatar: text(z.boolean().default(true)),
    allow_empty_topic_name: text(z.boolean().default(false)),
    use_first_unread_anchor: text(z.boolean().default(false), {
      description: 'Deprecated: `anchor=first_unread`.',
    }),
  },
  result: z.object({
    messages: z.array(FoundMessage),
    anchor: z.int().optional(),
    found_anchor: z.boolean(),
    found_newest: z.boolean(),
    found_oldest: z.boolean(),
    history_limited: z.boolean(),
  }),
  run: async (ctx, me, params) => {
    const { message_ids, num_before, num_after } = params
    const form = {
      realmUrl: ctx.request.realmUrl,
      applyMarkdown: params.apply_markdown,
      // Only users see addresses, from which clients compute avatars.
      extAvatar: params.client_extavatar && me !== null,
      allowEmptyTopic: params.allow_empty_topic_name,
    }
    if (!me) assertForSpectators(ctx, params.narrow)
    const asking = { ctx, db: ctx.db, me }
    const present = (ids: readonly number[], { phrases }: Fits) => {
      const messages = presentMessages(ctx, ctx.db, me, ids, form)
      if (phrases.length === 0) return messages
      const matches = matchesOf(ctx.db, ids, phrases, form.allowEmptyTopic)
      return messages.map((message) => ({ ...message, ...matches.get(message.id) }))
    }
    if (message_ids) {
      assertNoAnchor(params)
      const fits = narrowToSql(asking, params.narrow, 'any')
      const found = await inTurns(idsThatFit(ctx.db, message_ids, fits), ctx)
      return {
        messages: present(readableIds(ctx, ctx.db, me, found), fits),
        found_anchor: false,
        found_newest: false,
        found_oldest: false,
        history_limited: false,
      }
    }
    if (num_before === undefined) throw new MissingParameterError('num_before')
    if (num_after === undefined) throw new MissingParameterError('num_after')
    if (num_before + num_after > MAX_MESSAGES) {
      throw new BadRequestError(`Too many messages requested (maximum ${MAX_MESSAGES}).`)
    }
    const wanted = params.use_first_unread_anchor ? 'first_unread' : params.anchor
    if (wanted === undefined) throw new MissingParameterError('anchor')
    const { sequence } = ctx.server.database
    const fits = narrowToSql(asking, params.narrow)
    const { ids: inReach, ...found } = await inTurns(
      findAround(ctx.db, me, fits, wanted, num_before, num_after, params.include_anchor),
      ctx,
    )
    // What was found in an earlier turn may have been closed to them in a later one.
    const ids = stillReadableIds(ctx, ctx.db, me, inReach, sequence)
    return { messages: present(ids, fits), history_limited: false, ...found }
  },
})

function assertNoAnchor(params: Record<string, unknown>): void {
  const extra = ['anchor', 'num_before', 'num_after'].filter((name) => params[name] !== undefined)
  if (extra.length === 0) return
  const parameters = ['message_ids', ...extra].join(', ')
  throw new BadRequestError(`Unsupported parameter combination: ${parameters}`, { parameters })
}
