/** Personal settings a client starts with: their part of the register response. */
import type { Reader } from '../../db/transaction.ts'
import type { User } from '../users/access.ts'
import { displaySettings, notificationSettings } from './legacy.ts'
import { settingsOf, userSettings } from './settings.ts'
import { newUserSettings } from './store.ts'

/** What is needed of a user to tell their settings. */
type Settings = Pick<User, 'settings' | 'timezone'>

const emojisetNames: Record<string, string> = { native: "The device's own", text: 'Plain text' }

const choices = {
  available_notification_sounds: userSettings.notification_sound
    .unwrap()
    .options.filter((name) => name !== 'none'),
  emojiset_choices: userSettings.emojiset
    .unwrap()
    .options.map((key) => ({ key, text: emojisetNames[key] ?? key })),
}

export const settingsSnapshot = (me: Settings) => ({
  user_settings: { ...settingsOf(me), timezone: me.timezone, ...choices },
})

export const defaultsSnapshot = (db: Reader) => ({
  realm_user_settings_defaults: { ...settingsOf({ settings: newUserSettings(db) }), ...choices },
})

/** For clients without `user_settings_object`, as {@link legacyNotifications}. */
export function legacyDisplay(me: Settings) {
  const all: Record<string, unknown> = { ...settingsOf(me), timezone: me.timezone }
  const { emojiset_choices } = choices
  return { ...Object.fromEntries(displaySettings.map((name) => [name, all[name]])), emojiset_choices }
}

export function legacyNotifications(me: Settings) {
  const all = settingsOf(me)
  const { available_notification_sounds } = choices
  return {
    ...Object.fromEntries(notificationSettings.map((name) => [name, all[name]])),
    available_notification_sounds,
  }
}
