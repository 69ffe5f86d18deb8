import { z } from 'zod'
import { defineRoute, JsonMembers } from '../../http/define-route.ts'
import { text } from '../../http/params.ts'
import { UserObject } from './present.ts'
import { forEachUser } from './snapshot.ts'

export const getUsers = defineRoute({
  id: 'get-users',
  method: 'GET',
  path: '/users',
  summary: 'Everybody in the organization whom one may know, deactivated users and bots too',
  caller: 'user',
  params: {
    client_extavatar: text(z.boolean().default(true)),
    include_custom_profile_fields: text(z.boolean().default(false)),
  },
  result: z.object({ members: z.array(UserObject) }),
  run: (ctx, me, { client_extavatar, include_custom_profile_fields }) => {
    const { realm, request } = ctx
    const viewing = { realm, viewer: me, realmUrl: request.realmUrl, extAvatar: client_extavatar }
    const options = { profileData: include_custom_profile_fields, namesUnknown: false }
    const members: string[] = []
    forEachUser(ctx, me, viewing, options, (json) => void members.push(json))
    return new JsonMembers(`"members":[${members.join(',')}]`)
  },
})
