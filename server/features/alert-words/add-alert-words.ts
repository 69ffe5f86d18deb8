import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { addAlertWords as add } from './actions.ts'

export const addAlertWords = defineRoute({
  id: 'add-alert-words',
  method: 'POST',
  path: '/users/me/alert_words',
  summary: 'Be alerted to messages that hold certain words',
  caller: 'user',
  params: { alert_words: json(z.array(z.string()).max(1000)) },
  result: z.object({ alert_words: z.array(z.string()) }),
  run: (ctx, me, { alert_words }) => ({ alert_words: ctx.transact((tx) => add(tx, me.id, alert_words)) }),
})
