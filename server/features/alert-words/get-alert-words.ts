import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { alertWordsOf } from './store.ts'

export const getAlertWords = defineRoute({
  id: 'get-alert-words',
  method: 'GET',
  path: '/users/me/alert_words',
  summary: "One's own alert words",
  caller: 'user',
  params: {},
  result: z.object({ alert_words: z.array(z.string()) }),
  run: (ctx, me) => ({ alert_words: alertWordsOf(ctx.db, me.id) }),
})
