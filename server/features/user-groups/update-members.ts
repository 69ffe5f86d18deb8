import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, path } from '../../http/params.ts'
import { groupToChange } from './access.ts'
import { addMembers, addSubgroups, removeMembers, removeSubgroups } from './actions.ts'
import type { Group } from './store.ts'

const nothingToDo =
  'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'

const ids = json(z.array(z.int()).default([]))

export const updateMembers = defineRoute({
  id: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Add and remove members of a user group',
  caller: 'user',
  params: {
    user_group_id: path(z.int()),
    add: ids,
    delete: ids,
    add_subgroups: ids,
    delete_subgroups: ids,
  },
  result: z.object({}),
  run: (ctx, me, { user_group_id, add, delete: remove, add_subgroups, delete_subgroups }) =>
    ctx.transact((tx) => {
      const onlyMe = (list: readonly number[]) => list.every((id) => id === me.id)
      const joins = onlyMe(add) && add_subgroups.length === 0
      const quits = onlyMe(remove) && delete_subgroups.length === 0
      // Both permissions are checked before anything changes: joining may grant what removing others takes.
      let group: Group | undefined
      if (add.length + add_subgroups.length > 0) {
        const ways = joins
          ? (['can_add_members_group', 'can_join_group'] as const)
          : (['can_add_members_group'] as const)
        group = groupToChange(ctx, tx, me, user_group_id, ways)
      }
      if (remove.length + delete_subgroups.length > 0) {
        const ways = quits
          ? (['can_remove_members_group', 'can_leave_group'] as const)
          : (['can_remove_members_group'] as const)
        group = groupToChange(ctx, tx, me, user_group_id, ways)
      }
      if (!group) throw new BadRequestError(nothingToDo)
      if (add.length > 0) addMembers(ctx, tx, group, add)
      if (remove.length > 0) removeMembers(ctx, tx, group, remove)
      if (add_subgroups.length > 0) addSubgroups(ctx, tx, group, add_subgroups)
      if (delete_subgroups.length > 0) removeSubgroups(ctx, tx, group, delete_subgroups)
      return {}
    }),
})
