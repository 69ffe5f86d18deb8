import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { userById } from '../users/store.ts'
import { isAdministrator } from '../users/roles.ts'
import { ChannelAccess } from './access.ts'
import { surroundings } from './actions.ts'
import { ChannelObject, presentChannel } from './present.ts'
import { allChannels, type Channel, subscriptionsOf } from './store.ts'

export const getChannels = defineRoute({
  id: 'get-streams',
  method: 'GET',
  path: '/streams',
  summary: 'The channels the user may know of, by kind',
  caller: 'user',
  params: {
    include_public: text(z.boolean().default(true)),
    include_web_public: text(z.boolean().default(false)),
    include_subscribed: text(z.boolean().default(true)),
    exclude_archived: text(z.boolean().default(true)),
    include_all_active: text(z.boolean().default(false), { description: 'Deprecated: `include_all`.' }),
    include_all: text(z.boolean().default(false)),
    include_default: text(z.boolean().default(false)),
    include_owner_subscribed: text(z.boolean().default(false), { description: "Those of a bot's owner." }),
    include_can_access_content: text(z.boolean().default(false)),
  },
  result: z.object({
    streams: z.array(z.strictObject({ ...ChannelObject.shape, is_default: z.boolean().optional() })),
  }),
  run: (ctx, me, include) => {
    if (include.include_all_active && !isAdministrator(me)) {
      throw new BadRequestError('User not authorized for this query')
    }
    const access = new ChannelAccess(ctx, ctx.db, me)
    const own = subscriptionsOf(ctx.db, me.id)
    const owner = me.bot_owner_id === null ? undefined : userById(ctx.db, me.bot_owner_id)
    const owners = include.include_owner_subscribed && owner ? subscriptionsOf(ctx.db, owner.id) : new Map()
    const isSubscribed = (channel: Channel) => own.get(channel.id)?.is_active === 1
    const isWanted = (channel: Channel): boolean => {
      if (channel.is_archived && include.exclude_archived) return false
      if (owners.get(channel.id)?.is_active === 1) return true
      if (!access.maySee(channel, isSubscribed(channel))) return false
      if (include.include_all || include.include_all_active) return true
      return (
        (include.include_subscribed && isSubscribed(channel)) ||
        (include.include_public && !channel.invite_only && access.mayRead(channel, isSubscribed(channel))) ||
        (include.include_web_public && channel.is_web_public === 1) ||
        (include.include_can_access_content && access.mayRead(channel, isSubscribed(channel)))
      )
    }
    const around = surroundings(ctx.db, ctx.server.now() / 1000)
    return {
      streams: allChannels(ctx.db)
        .filter(isWanted)
        .map((channel) => ({
          ...presentChannel(channel, around),
          ...(include.include_default ? { is_default: channel.is_default === 1 } : {}),
        })),
    }
  },
})
