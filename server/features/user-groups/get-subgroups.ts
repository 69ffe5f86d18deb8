import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { groupToRead } from './access.ts'
import { directSubgroupIds, reachOf } from './store.ts'

export const getSubgroups = defineRoute({
  id: 'get-user-group-subgroups',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'The groups in a user group, and those in them',
  caller: 'user',
  params: { user_group_id: path(z.int()), direct_subgroup_only: text(z.boolean().default(false)) },
  result: z.object({ subgroups: z.array(z.int()) }),
  run: (ctx, _me, { user_group_id, direct_subgroup_only }) => {
    const { id } = groupToRead(ctx.db, user_group_id)
    if (direct_subgroup_only) return { subgroups: [...directSubgroupIds(ctx.db, id)] }
    const below = [...reachOf(ctx.db, id).ids].filter((other) => other !== id)
    return { subgroups: below.sort((a, b) => a - b) }
  },
})
