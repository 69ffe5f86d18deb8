import { z } from 'zod'
import { defineRoute } from '../../http/define-route.ts'
import { assertAdministrator } from '../users/access.ts'
import { changeDefaults } from './actions.ts'
import { givenSettings, settingParams } from './fields.ts'

const {
  allow_private_data_export: _export,
  default_language: _language,
  enable_login_emails: _login,
  enable_marketing_emails: _marketing,
  ...params
} = settingParams

export const updateUserSettingsDefaults = defineRoute({
  id: 'update-realm-user-settings-defaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that new users start with; for administrators',
  caller: 'user',
  params,
  result: z.object({}),
  run: (ctx, me, given) => {
    assertAdministrator(me)
    return ctx.transact((tx) => {
      changeDefaults(tx, givenSettings(given))
      return {}
    })
  },
})
