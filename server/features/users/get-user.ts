import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { path, text } from '../../http/params.ts'
import { type Me, type User, userToSee } from './access.ts'
import { presentUser, UserObject } from './present.ts'
import { profileDataByUser } from './store.ts'

export const userForm = {
  client_extavatar: text(z.boolean().default(true)),
  include_custom_profile_fields: text(z.boolean().default(false)),
} as const

interface UserForm {
  client_extavatar: boolean
  include_custom_profile_fields: boolean
}

export const getUser = defineRoute({
  id: 'get-user',
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'One user',
  caller: 'user',
  params: { user_id: path(z.int()), ...userForm },
  result: z.object({ user: UserObject }),
  run: (ctx, me, { user_id, ...form }) => ({
    user: userInForm(ctx, me, userToSee(ctx, ctx.db, me, user_id), form),
  }),
})

export function userInForm(ctx: RequestContext, me: Me, user: User, form: UserForm): UserObject {
  const { realm, request } = ctx
  const viewing = { realm, viewer: me, realmUrl: request.realmUrl, extAvatar: form.client_extavatar }
  const profile = form.include_custom_profile_fields
    ? (profileDataByUser(ctx.db, [user.id]).get(user.id) ?? {})
    : undefined
  return presentUser(user, viewing, profile)
}
