import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { activePeople } from '../users/store.ts'
import { groupToRead, holdersOf } from './access.ts'
import { membersByGroup } from './present.ts'

export const getMembers = defineRoute({
  id: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'The members of a user group, with those of the groups in it',
  caller: 'user',
  params: { user_group_id: path(z.int()), direct_member_only: text(z.boolean().default(false)) },
  result: z.object({ members: z.array(z.int()) }),
  run: (ctx, _me, { user_group_id, direct_member_only }) => {
    const group = groupToRead(ctx.db, user_group_id)
    if (direct_member_only) return { members: membersByGroup(ctx, ctx.db).get(group.id) ?? [] }
    const people = activePeople(ctx.db)
    return { members: [...holdersOf(ctx.db, ctx.realm, group.id, people, ctx.server.now() / 1000)] }
  },
})
