import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { json, path, text } from '../../http/params.ts'
import { GroupSettingUpdate } from '../user-groups/setting-param.ts'
import { channelToAdminister } from './access.ts'
import { changeChannel } from './change-channel.ts'
import { ChannelDescription, ChannelName, parseRetention, RetentionDays } from './fields.ts'

const flag = text(z.boolean().optional())
const permission = json(GroupSettingUpdate.optional())

export const updateChannel = defineRoute({
  id: 'update-stream',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Change the name, privacy and settings of a channel',
  caller: 'user',
  params: {
    stream_id: path(z.int()),
    description: text(ChannelDescription.optional()),
    new_name: text(ChannelName.optional()),
    is_private: flag,
    is_web_public: flag,
    history_public_to_subscribers: flag,
    is_default_stream: flag,
    message_retention_days: text(RetentionDays.optional()),
    can_add_subscribers_group: permission,
    can_administer_channel_group: permission,
    can_remove_subscribers_group: json(GroupSettingUpdate.optional(), {
      aliases: ['can_remove_subscribers_group_id'],
    }),
    can_send_message_group: permission,
    can_subscribe_group: permission,
  },
  result: z.object({}),
  run: (ctx, me, { stream_id, message_retention_days: days, ...changes }) =>
    ctx.transact((tx) => {
      const channel = channelToAdminister(ctx, tx, me, stream_id)
      const message_retention_days = days === undefined ? undefined : parseRetention(days)
      changeChannel(ctx, tx, me, channel, { ...changes, message_retention_days })
      return {}
    }),
})
