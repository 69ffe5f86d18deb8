/** What changes about personal settings, and who hears of it. */
import type { RealmContext } from '../../context.ts'
import type { Tx } from '../../db/transaction.ts'
import { forgetDrafts } from '../drafts/actions.ts'
import { idsWhoMayAccess, type User } from '../users/access.ts'
import { changeTimezone } from '../users/actions.ts'
import { tellOfEmail } from '../users/announce.ts'
import { activeUserIds, updateUser } from '../users/store.ts'
import { apiEmail } from '../users/visibility.ts'
import { tellOfConsent } from '../exports/actions.ts'
import { languageName } from './language.ts'
import { displaySettings, notificationSettings } from './legacy.ts'
import { settingsOf, type UserSettingName, type UserSettings } from './settings.ts'
import { newUserSettings, saveNewUserSettings } from './store.ts'

export function changeSettings(ctx: RealmContext, tx: Tx, user: User, given: Partial<UserSettings>): void {
  const old = settingsOf(user)
  const changed = (Object.keys(given) as UserSettingName[]).filter((name) => given[name] !== old[name])
  if (changed.length === 0) return
  const chosen = Object.fromEntries(changed.map((name) => [name, given[name]]))
  const settings = JSON.stringify({ ...(JSON.parse(user.settings) as object), ...chosen })
  updateUser(tx, user.id, { settings })
  const after = { ...user, settings }
  for (const name of changed) tellOfSetting(ctx, tx, after, name, settingsOf(after)[name])
  if (given.allow_private_data_export !== undefined && changed.includes('allow_private_data_export')) {
    tellOfConsent(tx, user, given.allow_private_data_export)
  }
  if (given.enable_drafts_synchronization === false) forgetDrafts(tx, user.id)
  if (changed.includes('email_address_visibility')) tellOfEmail(ctx, tx, user, after)
  if (given.presence_enabled !== undefined && changed.includes('presence_enabled')) {
    // The old form of the same choice is part of everybody's view of the user.
    const away = !given.presence_enabled
    tx.emit({ type: 'user_status', user_id: user.id, away }, { to: idsWhoMayAccess(ctx, tx, user) })
  }
}

/** The time zone is a setting, and everybody's to see. */
export function changeTimezoneSetting(ctx: RealmContext, tx: Tx, user: User, timezone: string): void {
  if (timezone === user.timezone) return
  changeTimezone(ctx, tx, user, timezone)
  tellOfSetting(ctx, tx, user, 'timezone', timezone)
}

function tellOfSetting(
  ctx: RealmContext,
  tx: Tx,
  user: User,
  name: UserSettingName | 'timezone',
  value: boolean | number | string,
): void {
  const language = name === 'default_language' ? { language_name: languageName(String(value)) ?? '' } : {}
  tx.emit({ type: 'user_settings', op: 'update', property: name, value, ...language }, { to: [user.id] })
  const older = { to: [user.id], only: { user_settings_object: false } }
  const shared = { user: apiEmail(ctx.realm, user), setting: value }
  if (displaySettings.includes(name)) {
    tx.emit({ type: 'update_display_settings', ...shared, setting_name: name, ...language }, older)
  }
  if ((notificationSettings as readonly string[]).includes(name)) {
    tx.emit({ type: 'update_global_notifications', ...shared, notification_name: name }, older)
  }
}

/** What new users get in place of the defaults; those who are there keep what they have. */
export function changeDefaults(tx: Tx, given: Partial<UserSettings>): void {
  const stored = newUserSettings(tx)
  const old = settingsOf({ settings: stored })
  const changed = (Object.keys(given) as UserSettingName[]).filter((name) => given[name] !== old[name])
  if (changed.length === 0) return
  saveNewUserSettings(tx, JSON.stringify({ ...(JSON.parse(stored) as object), ...given }))
  const to = activeUserIds(tx)
  for (const property of changed) {
    const value = given[property]
    if (value !== undefined)
      tx.emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, { to })
  }
}
