import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { maxMessageId } from '../messages/store.ts'
import { avatarUrl, presentUser, UserObject } from './present.ts'
import { profileDataByUser } from './store.ts'

export const getOwnUser = defineRoute({
  id: 'get-own-user',
  method: 'GET',
  path: '/users/me',
  summary: 'The user who asks',
  caller: 'user',
  params: {},
  result: z.object({
    ...UserObject.omit({ bot_type: true, bot_owner_id: true }).shape,
    avatar_url: z.string(),
    delivery_email: z.string(),
    max_message_id: z.int(),
  }),
  run: (ctx, me) => {
    const { realmUrl } = ctx.request
    const profile = profileDataByUser(ctx.db, [me.id]).get(me.id) ?? {}
    const {
      bot_type: _type,
      bot_owner_id: _owner,
      ...user
    } = presentUser(me, { realm: ctx.realm, viewer: me, realmUrl, extAvatar: false }, profile)
    return {
      ...user,
      avatar_url: avatarUrl(me, realmUrl),
      delivery_email: me.delivery_email,
      max_message_id: maxMessageId(ctx.db, me),
    }
  },
})
