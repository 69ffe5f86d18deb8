import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertAdministrator } from '../users/access.ts'
import { addLinkifier as add } from './actions.ts'
import { linkifierParams } from './fields.ts'

export const addLinkifier = defineRoute({
  id: 'add-linkifier',
  method: 'POST',
  path: '/realm/filters',
  summary: 'Make a pattern become a link in messages and topics',
  caller: 'user',
  params: linkifierParams,
  result: z.object({ id: z.int() }),
  run: (ctx, me, fields) => {
    assertAdministrator(me)
    return { id: ctx.transact((tx) => add(tx, fields)) }
  },
})
