import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { addPlayground as add } from './actions.ts'

export const addPlayground = defineRoute({
  id: 'add-code-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Offer a place where code of a language can be run',
  caller: 'user',
  params: {
    name: text(z.string().trim().min(1).max(255)),
    pygments_language: text(
      z
        .string()
        .trim()
        .min(1)
        .max(40)
        .regex(/^[-a-zA-Z0-9 _+./#]+$/, 'Invalid characters in pygments language'),
    ),
    url_template: text(z.string().min(1).max(1000), {
      description: 'An RFC 6570 template with the one variable `code`.',
    }),
  },
  result: z.object({ id: z.int() }),
  run: (ctx, me, fields) => {
    assertAdministrator(me)
    return { id: ctx.transact((tx) => add(tx, fields)) }
  },
})
