import { updateUserSettingsDefaults } from './update-defaults.ts'
import { updateSettings } from './update-settings.ts'

export const userSettingsRoutes = [updateSettings, updateUserSettingsDefaults]
