// Example data for tests: whole objects, of which a test names only what it is about.

import type { Channel, User } from '../live.ts'

export function egUser(user_id: number, full_name: string, more: Partial<User> = {}): User {
  return {
    user_id,
    full_name,
    email: `user${user_id}@x.test`,
    delivery_email: null,
    role: 400,
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    date_joined: `2026-11-0${user_id}T00:00:00Z`,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
    ...more,
  }
}

export function egChannel(stream_id: number, name: string, more: Partial<Channel> = {}): Channel {
  return {
    stream_id,
    name,
    description: '',
    rendered_description: '',
    date_created: stream_id,
    creator_id: 1,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    is_announcement_only: false,
    is_recently_active: true,
    first_message_id: null,
    message_retention_days: null,
    stream_post_policy: 1,
    stream_weekly_traffic: null,
    can_add_subscribers_group: 1,
    can_administer_channel_group: 1,
    can_remove_subscribers_group: 1,
    can_send_message_group: 1,
    can_subscribe_group: 1,
    subscribers: [],
    ...more,
  }
}
