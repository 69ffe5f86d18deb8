import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { presentUser, UserObject } from './present.ts'
import { allUsers, profileDataByUser } from './store.ts'

export const getUsers = defineRoute({
  id: 'get-users',
  method: 'GET',
  path: '/users',
  summary: 'Everybody in the organization, deactivated users and bots too',
  caller: 'user',
  params: {
    client_extavatar: text(z.boolean().default(true)),
    include_custom_profile_fields: text(z.boolean().default(false)),
  },
  result: z.object({ members: z.array(UserObject) }),
  run: (ctx, _me, { client_extavatar, include_custom_profile_fields }) => {
    const viewing = { realmUrl: ctx.request.realmUrl, extAvatar: client_extavatar }
    const profiles = include_custom_profile_fields ? profileDataByUser(ctx.db) : undefined
    return {
      members: allUsers(ctx.db).map((user) =>
        presentUser(user, viewing, profiles && (profiles.get(user.id) ?? {})),
      ),
    }
  },
})
