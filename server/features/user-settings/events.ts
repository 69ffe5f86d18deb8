import { z } from 'zod'

const Value = z.union([z.boolean(), z.int(), z.string()])
/** With `default_language` only. */
const language_name = z.string().optional()

export const userSettingsEvents = [
  z.strictObject({
    type: z.literal('user_settings'),
    op: z.literal('update'),
    property: z.string(),
    value: Value,
    language_name,
  }),
  /** Only to clients without `user_settings_object`, as the next. */
  z.strictObject({
    type: z.literal('update_display_settings'),
    user: z.string(),
    setting_name: z.string(),
    setting: Value,
    language_name,
  }),
  z.strictObject({
    type: z.literal('update_global_notifications'),
    user: z.string(),
    notification_name: z.string(),
    setting: Value,
  }),
  z.strictObject({
    type: z.literal('realm_user_settings_defaults'),
    op: z.literal('update'),
    property: z.string(),
    value: Value,
  }),
] as const
