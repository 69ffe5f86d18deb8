import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path } from '../../http/params.ts'
import { assertOperator, realmToManage } from './access.ts'
import { managedUser } from './renew-api-key.ts'

export const getApiKey = defineRoute({
  id: 'admin-get-api-key',
  method: 'GET',
  path: '/realms/{name}/users/{user_id}/api_key',
  summary: 'The API key of a user; for whoever runs the server',
  caller: 'admin',
  params: { name: path(z.string()), user_id: path(z.int()) },
  result: z.object({ api_key: z.string() }),
  run: (ctx, session, { name, user_id }) => {
    assertOperator(session)
    return { api_key: managedUser(realmToManage(ctx, session, name).db, null, user_id).api_key }
  },
})
