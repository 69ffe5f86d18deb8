import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { assertPerson } from './access.ts'
import { GroupObject, groupSnapshot } from './present.ts'

export const getGroups = defineRoute({
  id: 'get-user-groups',
  method: 'GET',
  path: '/user_groups',
  summary: 'All user groups; not for guests and bots',
  caller: 'user',
  params: {
    include_deactivated_groups: text(z.boolean().default(false), { aliases: ['allow_deactivated'] }),
  },
  result: z.object({ user_groups: z.array(GroupObject) }),
  run: (ctx, me, { include_deactivated_groups }) => {
    assertPerson(me)
    return { user_groups: groupSnapshot(ctx, ctx.db, { deactivated: include_deactivated_groups }) }
  },
})
