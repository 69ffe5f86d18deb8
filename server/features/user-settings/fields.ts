/** Personal settings as parameters of requests. */
import type { z } from 'zod'
import { type Param, type ParamOptions, text } from '../../http/params.ts'
import { Language } from './language.ts'
import { type UserSettingName, type UserSettings, userSettings } from './settings.ts'

/** Names that older clients use. */
const aliases: Partial<Record<UserSettingName, string>> = {
  realm_name_in_email_notifications_policy: 'realm_name_in_notifications',
  web_escape_navigates_to_home_view: 'escape_navigates_to_default_view',
  web_home_view: 'default_view',
}

export const settingNames = Object.keys(userSettings) as UserSettingName[]

type SettingParams = { [Name in UserSettingName]: Param<z.ZodType<UserSettings[Name] | undefined>> }

/** Each setting as an optional parameter. */
export const settingParams = Object.fromEntries(
  settingNames.map((name) => {
    const schema = name === 'default_language' ? Language : userSettings[name].unwrap()
    const alias = aliases[name]
    const options: ParamOptions = alias === undefined ? {} : { aliases: [alias] }
    return [name, text((schema as z.ZodType).optional(), options)]
  }),
) as unknown as SettingParams

/** The settings among decoded parameters that were given. */
export function givenSettings(params: Partial<Record<UserSettingName, unknown>>): Partial<UserSettings> {
  return Object.fromEntries(
    settingNames.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]),
  )
}
