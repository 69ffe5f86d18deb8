import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, text } from '../../http/params.ts'
import { assertAdministrator } from '../users/access.ts'
import { createGroup as create } from './actions.ts'
import { ChannelNames, GroupDescription, GroupName } from './fields.ts'

export const createGroup = defineRoute({
  id: 'create-default-stream-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Create a group of channels that newcomers may choose together; for administrators',
  caller: 'user',
  params: {
    group_name: text(GroupName),
    description: text(GroupDescription.default('')),
    stream_names: json(ChannelNames.default([])),
  },
  result: z.object({}),
  run: (ctx, me, { group_name, description, stream_names }) => {
    assertAdministrator(me)
    ctx.transact((tx) => create(tx, group_name, description, stream_names))
    return {}
  },
})
