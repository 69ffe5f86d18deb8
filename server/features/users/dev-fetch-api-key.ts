import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError, RealmDeactivatedError, UserDeactivatedError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { isMethodEnabled } from '../realms/present.ts'
import { userByEmail } from './access.ts'
import { ApiKeyReply } from './fetch-api-key.ts'

export const devFetchApiKey = defineRoute({
  id: 'dev-fetch-api-key',
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'On a development server: the API key of any user',
  caller: 'anyone',
  params: { username: text(z.string()) },
  result: ApiKeyReply,
  run: (ctx, _me, { username }) => {
    if (!ctx.server.config.dev) throw new BadRequestError('This is not a development server.')
    if (!isMethodEnabled(ctx.server, ctx.realm.settings, 'Dev')) {
      throw new BadRequestError('This organization has switched this way to sign in off.')
    }
    const user = userByEmail(ctx.db, username)
    if (!user) throw new BadRequestError('This user is not registered.')
    if (ctx.realm.isDeactivated) throw new RealmDeactivatedError()
    if (!user.is_active) throw new UserDeactivatedError()
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.id }
  },
})
