import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { removePlayground as remove } from './actions.ts'

export const removePlayground = defineRoute({
  id: 'remove-code-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'Remove a code playground',
  caller: 'user',
  params: { playground_id: path(z.int()) },
  result: z.object({}),
  run: (ctx, me, { playground_id }) => {
    assertAdministrator(me)
    ctx.transact((tx) => remove(tx, playground_id))
    return {}
  },
})
