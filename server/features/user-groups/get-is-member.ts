import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { path, text } from '../../http/params.ts'
import { userById } from '../users/store.ts'
import { directSystemGroups, groupToRead, isInGroup } from './access.ts'
import { directGroupIds, type Group } from './store.ts'

export const getIsMember = defineRoute({
  id: 'get-is-user-group-member',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Whether a user is a member of a user group',
  caller: 'user',
  params: {
    user_group_id: path(z.int()),
    user_id: path(z.int()),
    direct_member_only: text(z.boolean().default(false)),
  },
  result: z.object({ is_user_group_member: z.boolean() }),
  run: (ctx, _me, { user_group_id, user_id, direct_member_only }) => {
    const group = groupToRead(ctx.db, user_group_id)
    const user = userById(ctx.db, user_id)
    if (!user || user.is_system_bot) throw new BadRequestError('No such user')
    const now = ctx.server.now() / 1000
    const isDirect = ({ id, name, is_system_group }: Group) =>
      is_system_group
        ? directSystemGroups(ctx.realm, user, now).some((direct) => direct === name)
        : directGroupIds(ctx.db, user.id).includes(id)
    const isMember = direct_member_only ? isDirect(group) : isInGroup(ctx.db, ctx.realm, group.id, user, now)
    return { is_user_group_member: user.is_active === 1 && isMember }
  },
})
