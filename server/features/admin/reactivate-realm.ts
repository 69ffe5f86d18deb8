import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { reactivateRealm as reactivate } from '../realms/actions.ts'
import { assertOperator, realmToManage } from './access.ts'

export const reactivateRealm = defineRoute({
  id: 'admin-reactivate-realm',
  method: 'POST',
  path: '/realms/{name}/reactivate',
  summary: 'Open an organization again that its owner has closed',
  caller: 'admin',
  params: { name: path(z.string()) },
  result: z.object({}),
  run: (ctx, session, { name }) => {
    assertOperator(session)
    realmToManage(ctx, session, name).transact(reactivate)
    return {}
  },
})
