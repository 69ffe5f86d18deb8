import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { changeLinkifier } from './actions.ts'
import { linkifierParams } from './fields.ts'

export const updateLinkifier = defineRoute({
  id: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Change a linkifier',
  caller: 'user',
  params: { filter_id: path(z.int()), ...linkifierParams },
  result: z.object({}),
  run: (ctx, me, { filter_id, ...fields }) => {
    assertAdministrator(me)
    ctx.transact((tx) => changeLinkifier(tx, filter_id, fields))
    return {}
  },
})
