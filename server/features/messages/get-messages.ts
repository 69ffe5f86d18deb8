import { z } from 'zod'
import type { Reader } from '../../db/transaction.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError, MissingParameterError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import type { Me } from '../users/access.ts'
import { readableIds } from './access.ts'
import { READ } from './flags.ts'
import { type Condition, Narrow, narrowToSql } from './narrow.ts'
import { MessageObject, presentMessages } from './present.ts'

const MAX_MESSAGES = 5000

// Clients name ids that can never be, past both ends: 0, -1, 10^16.
const Anchor = z.union([z.number(), z.enum(['newest', 'oldest', 'first_unread'])])

export const getMessages = defineRoute({
  id: 'get-messages',
  method: 'GET',
  path: '/messages',
  summary: 'Messages around an anchor that fit a narrow',
  caller: 'user',
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
    messages: z.array(MessageObject),
    anchor: z.int().optional(),
    found_anchor: z.boolean(),
    found_newest: z.boolean(),
    found_oldest: z.boolean(),
    history_limited: z.boolean(),
  }),
  run: (ctx, me, params) => {
    const { message_ids, num_before, num_after } = params
    const form = {
      realmUrl: ctx.request.realmUrl,
      applyMarkdown: params.apply_markdown,
      extAvatar: params.client_extavatar,
      allowEmptyTopic: params.allow_empty_topic_name,
    }
    const fits = narrowToSql({ ctx, db: ctx.db, me }, params.narrow)
    if (message_ids) {
      assertNoAnchor(params)
      const ids = fitting(ctx.db, fits, readableIds(ctx, ctx.db, me, message_ids))
      const messages = presentMessages(ctx, ctx.db, me, ids, form)
      return {
        messages,
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
    const anchor = resolveAnchor(ctx.db, me, fits, wanted)
    const { ids, ...found } = findAround(ctx.db, fits, anchor, num_before, num_after, params.include_anchor)
    return { messages: presentMessages(ctx, ctx.db, me, ids, form), anchor, history_limited: false, ...found }
  },
})

function assertNoAnchor(params: Record<string, unknown>): void {
  const extra = ['anchor', 'num_before', 'num_after'].filter((name) => params[name] !== undefined)
  if (extra.length === 0) return
  const parameters = ['message_ids', ...extra].join(', ')
  throw new BadRequestError(`Unsupported parameter combination: ${parameters}`, { parameters })
}

/** Past every id there will ever be: the anchor of the newest messages. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

function resolveAnchor(db: Reader, me: Me, fits: Condition, anchor: z.output<typeof Anchor>): number {
  if (typeof anchor === 'number') return Math.min(Math.max(Math.trunc(anchor), 0), AFTER_ALL)
  if (anchor === 'oldest') return 0
  if (anchor === 'newest') return AFTER_ALL
  const [row] = db.sql<{ id: number }>(
    `SELECT m.id FROM messages m WHERE ${fits.sql} AND NOT ${READ} ORDER BY m.id LIMIT 1`,
    [...fits.parameters, me.id, me.id],
  )
  return row?.id ?? AFTER_ALL
}

function fitting(db: Reader, fits: Condition, ids: readonly number[]): number[] {
  const sql = `SELECT m.id FROM messages m WHERE ${fits.sql} AND m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id`
  return db.sql<{ id: number }>(sql, [...fits.parameters, JSON.stringify(ids)]).map(({ id }) => id)
}

/** The ids around an anchor, ascending. One more is asked for on each side, to know whether there are more. */
export function findAround(
  db: Reader,
  fits: Condition,
  anchor: number,
  before: number,
  after: number,
  includeAnchor: boolean,
): { ids: number[]; found_anchor: boolean; found_newest: boolean; found_oldest: boolean } {
  const select = (comparison: string, order: string, limit: number): number[] =>
    db
      .sql<{ id: number }>(
        `SELECT m.id FROM messages m WHERE ${fits.sql} AND m.id ${comparison} ? ORDER BY m.id ${order} LIMIT ?`,
        [...fits.parameters, anchor, limit],
      )
      .map(({ id }) => id)
  const older = select('<', 'DESC', before + 1)
  const newer = select('>', 'ASC', after + 1)
  const at = includeAnchor ? select('=', 'ASC', 1) : []
  return {
    ids: [...older.slice(0, before).reverse(), ...at, ...newer.slice(0, after)],
    found_anchor: at.length > 0,
    found_newest: newer.length <= after,
    found_oldest: older.length <= before,
  }
}
