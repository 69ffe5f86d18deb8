import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path, text } from '../../http/params.ts'
import { groupToManage } from './access.ts'
import { addToGroup, removeFromGroup } from './actions.ts'
import { ChannelNames } from './fields.ts'

export const updateGroupChannels = defineRoute({
  id: 'update-default-stream-group-streams',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Add channels to a group of default channels, or remove them; for administrators',
  caller: 'user',
  params: {
    group_id: path(z.int()),
    op: text(z.enum(['add', 'remove'])),
    stream_names: json(ChannelNames.min(1)),
  },
  result: z.object({}),
  run: (ctx, me, { group_id, op, stream_names }) => {
    const change = op === 'add' ? addToGroup : removeFromGroup
    ctx.transact((tx) => change(tx, groupToManage(tx, me, group_id), stream_names))
    return {}
  },
})
