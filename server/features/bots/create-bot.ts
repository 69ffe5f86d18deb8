import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { assertMayCreateBot } from './access.ts'
import { createBot as create } from './actions.ts'
import { botChannels, fullName, Interface, payloadUrl, ShortName } from './fields.ts'
import { BotObject, presentBot } from './present.ts'
import { BotType } from './store.ts'

export const createBot = defineRoute({
  id: 'create-bot',
  method: 'POST',
  path: '/bots',
  summary: 'Make a bot of one’s own',
  caller: 'user',
  params: {
    full_name: fullName,
    short_name: text(z.string(), { description: 'Its address becomes `{short_name}-bot@…`.' }),
    bot_type: text(z.literal([1, 2, 3, 4]).default(1), {
      description:
        '1 generic, 2 incoming webhook (may only send), 3 outgoing webhook; embedded bots there are none.',
    }),
    payload_url: payloadUrl,
    interface_type: text(Interface.default(1)),
    ...botChannels,
  },
  result: BotObject,
  run: (ctx, me, { interface_type: _interface, short_name: given, ...fields }) => {
    if (fields.bot_type === BotType.embedded) throw new BadRequestError('Embedded bots are not enabled.')
    const name = ShortName.safeParse(given)
    if (!name.success) throw new BadRequestError('Bad name or username')
    return ctx.transact((tx) => {
      assertMayCreateBot(ctx, tx, me, fields.bot_type)
      return presentBot(ctx, tx, create(ctx, tx, me, { ...fields, short_name: name.data }))
    })
  },
})
