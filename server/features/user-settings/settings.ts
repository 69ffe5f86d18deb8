/** Personal settings of a user: each with the schema of its value and its default (specification, `user_settings`). */
import { z } from 'zod'
import type { Row } from '../../db/tables.ts'

const choice = <Values extends readonly [number, ...number[]]>(values: Values) => z.literal(values)

/** Named as in `user_settings` of the register response. The time zone is a column of its own. */
export const userSettings = {
  allow_private_data_export: z.boolean().default(false),
  /** 1 participated, 2 sent, 3 started, 4 never; so too the next policy. */
  automatically_follow_topics_policy: choice([1, 2, 3, 4]).default(3),
  automatically_follow_topics_where_mentioned: z.boolean().default(true),
  automatically_unmute_topics_in_muted_streams_policy: choice([1, 2, 3, 4]).default(2),
  /** 1 automatic, 2 dark, 3 light. */
  color_scheme: choice([1, 2, 3]).default(1),
  default_language: z.string().min(1).max(50).default('en'),
  /** 1 automatic, 2 always, 3 never. */
  demote_inactive_streams: choice([1, 2, 3]).default(1),
  desktop_icon_count_display: choice([1, 2, 3, 4]).default(1),
  display_emoji_reaction_users: z.boolean().default(true),
  /** 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  email_address_visibility: choice([1, 2, 3, 4, 5]).default(1),
  email_notifications_batching_period_seconds: z.int().min(0).max(604_800).default(120),
  emojiset: z.enum(['text', 'native']).default('native'),
  enable_desktop_notifications: z.boolean().default(true),
  enable_digest_emails: z.boolean().default(false),
  enable_drafts_synchronization: z.boolean().default(true),
  enable_followed_topic_audible_notifications: z.boolean().default(true),
  enable_followed_topic_desktop_notifications: z.boolean().default(true),
  enable_followed_topic_email_notifications: z.boolean().default(false),
  enable_followed_topic_push_notifications: z.boolean().default(false),
  enable_followed_topic_wildcard_mentions_notify: z.boolean().default(true),
  enable_login_emails: z.boolean().default(false),
  enable_marketing_emails: z.boolean().default(false),
  enable_offline_email_notifications: z.boolean().default(false),
  enable_offline_push_notifications: z.boolean().default(false),
  enable_online_push_notifications: z.boolean().default(false),
  enable_sounds: z.boolean().default(true),
  enable_stream_audible_notifications: z.boolean().default(false),
  enable_stream_desktop_notifications: z.boolean().default(false),
  enable_stream_email_notifications: z.boolean().default(false),
  enable_stream_push_notifications: z.boolean().default(false),
  enter_sends: z.boolean().default(true),
  fluid_layout_width: z.boolean().default(false),
  hide_ai_features: z.boolean().default(false),
  high_contrast_mode: z.boolean().default(false),
  left_side_userlist: z.boolean().default(false),
  message_content_in_email_notifications: z.boolean().default(true),
  notification_sound: z.enum(['none', 'bell', 'chime', 'knock', 'pop']).default('chime'),
  pm_content_in_desktop_notifications: z.boolean().default(true),
  presence_enabled: z.boolean().default(true),
  /** 1 automatic, 2 always, 3 never. */
  realm_name_in_email_notifications_policy: choice([1, 2, 3]).default(1),
  receives_typing_notifications: z.boolean().default(true),
  send_private_typing_notifications: z.boolean().default(true),
  send_read_receipts: z.boolean().default(true),
  send_stream_typing_notifications: z.boolean().default(true),
  starred_message_counts: z.boolean().default(true),
  translate_emoticons: z.boolean().default(false),
  twenty_four_hour_time: z.boolean().default(true),
  user_list_style: choice([1, 2, 3]).default(2),
  web_animate_image_previews: z.enum(['always', 'on_hover', 'never']).default('on_hover'),
  web_channel_default_view: choice([1, 2]).default(1),
  web_escape_navigates_to_home_view: z.boolean().default(true),
  web_font_size_px: z.int().min(12).max(20).default(16),
  web_home_view: z.enum(['recent_topics', 'inbox', 'all_messages']).default('inbox'),
  web_line_height_percent: z.int().min(100).max(200).default(140),
  web_mark_read_on_scroll_policy: choice([1, 2, 3]).default(1),
  web_navigate_to_sent_message: z.boolean().default(true),
  web_stream_unreads_count_display_policy: choice([1, 2, 3]).default(2),
  web_suggest_update_timezone: z.boolean().default(true),
  wildcard_mentions_notify: z.boolean().default(true),
} as const

const Stored = z.object(userSettings)
export type UserSettings = z.output<typeof Stored>
export type UserSettingName = keyof UserSettings

const parsed = new Map<string, UserSettings>()

/** The settings of one user, with the defaults where nothing was chosen. Parsed once for each distinct text. */
export function settingsOf(user: Pick<Row<'users'>, 'settings'>): UserSettings {
  let settings = parsed.get(user.settings)
  if (!settings) {
    settings = Stored.parse(JSON.parse(user.settings))
    if (parsed.size > 10_000) parsed.clear()
    parsed.set(user.settings, settings)
  }
  return settings
}
