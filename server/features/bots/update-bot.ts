import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path, text } from '../../http/params.ts'
import { currentUser } from '../users/announce.ts'
import { FullName } from '../users/fields.ts'
import { botToManage } from './access.ts'
import { changeBot } from './actions.ts'
import { botChannels, Interface, PayloadUrl } from './fields.ts'
import { BotObject, presentBot } from './present.ts'

export const updateBot = defineRoute({
  id: 'update-bot',
  method: 'PATCH',
  path: '/bots/{bot_id}',
  summary: 'Change a bot; for its owner and administrators',
  caller: 'user',
  params: {
    bot_id: path(z.int()),
    full_name: text(FullName.optional()),
    bot_owner_id: text(z.int().optional()),
    service_payload_url: json(PayloadUrl.optional(), { aliases: ['payload_url'] }),
    service_interface: text(Interface.default(1), { aliases: ['interface_type'] }),
    ...botChannels,
  },
  result: BotObject,
  run: (ctx, me, { bot_id, service_interface: _interface, ...changes }) =>
    ctx.transact((tx) => {
      const bot = botToManage(tx, me, bot_id)
      changeBot(ctx, tx, me, bot, changes)
      return presentBot(ctx, tx, currentUser(tx, bot.id))
    }),
})
