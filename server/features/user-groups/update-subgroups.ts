import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { json, path } from '../../http/params.ts'
import { groupToChange } from './access.ts'
import { addSubgroups, removeSubgroups } from './actions.ts'

const ids = json(z.array(z.int()).default([]))

export const updateSubgroups = defineRoute({
  id: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Add and remove groups in a user group',
  caller: 'user',
  params: { user_group_id: path(z.int()), add: ids, delete: ids },
  result: z.object({}),
  run: (ctx, me, { user_group_id, add, delete: remove }) =>
    ctx.transact((tx) => {
      if (add.length + remove.length === 0) {
        throw new BadRequestError('Nothing to do. Specify at least one of "add" or "delete".')
      }
      if (add.length > 0) {
        addSubgroups(ctx, tx, groupToChange(ctx, tx, me, user_group_id, ['can_add_members_group']), add)
      }
      if (remove.length > 0) {
        removeSubgroups(
          ctx,
          tx,
          groupToChange(ctx, tx, me, user_group_id, ['can_remove_members_group']),
          remove,
        )
      }
      return {}
    }),
})
