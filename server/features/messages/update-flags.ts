import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, text } from '../../http/params.ts'
import { readableIds } from './access.ts'
import { changeFlag, type EditableFlag, editableFlags, type FlagOutcome } from './flag-actions.ts'
import { FlagBit } from './flags.ts'

export const updateFlags = defineRoute({
  id: 'update-message-flags',
  method: 'POST',
  path: '/messages/flags',
  summary: 'Set or clear a flag on messages',
  caller: 'user',
  params: {
    messages: json(z.array(z.int()).max(50_000)),
    op: text(z.enum(['add', 'remove'])),
    flag: text(z.string()),
  },
  result: z.object({
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()).optional(),
  }),
  run: (ctx, me, { messages, op, flag }) => {
    assertEditable(flag)
    return ctx.transact((tx) => {
      const ids = readableIds(ctx, tx, me, messages)
      const outcome = changeFlag(tx, me, ids, flag, op)
      return { messages: ids, ...ignoredChannels(outcome, flag, op) }
    })
  },
})

/** @throws BadRequestError */
export function assertEditable(flag: string): asserts flag is EditableFlag {
  if ((editableFlags as readonly string[]).includes(flag)) return
  const isKnown = flag in FlagBit || flag === 'historical' || flag === 'wildcard_mentioned'
  throw new BadRequestError(isKnown ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`)
}

/** Told only where it can happen: when messages are marked as unread. */
export const ignoredChannels = ({ notSubscribed }: FlagOutcome, flag: string, op: string) =>
  flag === 'read' && op === 'remove' ? { ignored_because_not_subscribed_channels: notSubscribed } : {}
