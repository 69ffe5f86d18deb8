import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { defineRoute } from '../../http/define-route.ts'
import { BadRequestError } from '../../http/errors.ts'
import { text } from '../../http/params.ts'
import { hashPassword, verifyPassword } from '../../services/passwords.ts'
import { assertHuman, type Me } from '../users/access.ts'
import { changeEmail, changeFullName } from '../users/actions.ts'
import { signInKey } from '../users/fetch-api-key.ts'
import { Email, FullName, Password } from '../users/fields.ts'
import { isAdministrator } from '../users/roles.ts'
import { assertEmailAllowed, assertNameFree } from '../users/rules.ts'
import { updateUser } from '../users/store.ts'
import { changeSettings, changeTimezoneSetting } from './actions.ts'
import { givenSettings, settingParams } from './fields.ts'
import { Timezone } from './language.ts'

export const updateSettings = defineRoute({
  id: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  summary: "Change one's own settings, name, address, time zone or password",
  caller: 'user',
  params: {
    ...settingParams,
    full_name: text(FullName.optional()),
    email: text(Email.optional(), { description: 'Takes effect at once: this server sends no mail.' }),
    timezone: text(Timezone.optional()),
    old_password: text(z.string().optional(), { description: 'Required with `new_password`.' }),
    new_password: text(Password.optional()),
  },
  result: z.object({}),
  run: async (ctx, me, { full_name, email, timezone, old_password, new_password, ...settings }) => {
    assertHuman(me)
    const password_hash =
      new_password === undefined ? undefined : await newPasswordHash(ctx, me, old_password, new_password)
    return ctx.transact((tx) => {
      if (password_hash !== undefined) updateUser(tx, me.id, { password_hash })
      if (full_name !== undefined && full_name !== me.full_name) {
        if (ctx.realm.settings.name_changes_disabled && !isAdministrator(me)) {
          throw new BadRequestError('Name changes are disabled in this organization.')
        }
        assertNameFree(ctx, tx, full_name, me)
        changeFullName(ctx, tx, me, full_name)
      }
      if (email !== undefined && email !== me.delivery_email) {
        if (ctx.realm.settings.email_changes_disabled && !isAdministrator(me)) {
          throw new BadRequestError('Email address changes are disabled in this organization.')
        }
        assertEmailAllowed(ctx, tx, email)
        changeEmail(ctx, tx, me, email)
      }
      const user = { ...me, ...(email === undefined ? {} : { delivery_email: email }) }
      if (timezone !== undefined) changeTimezoneSetting(ctx, tx, user, timezone)
      changeSettings(ctx, tx, user, givenSettings(settings))
      return {}
    })
  },
})

/** @throws BadRequestError, RateLimitError when the old password is not right */
async function newPasswordHash(
  { server, request, realm }: RequestContext,
  me: Me,
  old_password: string | undefined,
  new_password: string,
): Promise<string> {
  const key = signInKey(realm, me.email_key, request.address)
  if (!server.config.dev) await server.signInThrottle.take(key)
  if (!(await verifyPassword(old_password ?? '', me.password_hash)))
    throw new BadRequestError('Wrong password!')
  await server.signInThrottle.forget(key)
  return hashPassword(new_password)
}
