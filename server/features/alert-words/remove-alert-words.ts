import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json } from '../../http/params.ts'
import { removeAlertWords as remove } from './actions.ts'

export const removeAlertWords = defineRoute({
  id: 'remove-alert-words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  summary: 'Be alerted to certain words no longer',
  caller: 'user',
  params: { alert_words: json(z.array(z.string()).max(1000)) },
  result: z.object({ alert_words: z.array(z.string()) }),
  run: (ctx, me, { alert_words }) => ({ alert_words: ctx.transact((tx) => remove(tx, me.id, alert_words)) }),
})
