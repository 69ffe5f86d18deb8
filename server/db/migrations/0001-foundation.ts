import type { Migration } from '../migrate.ts'

/** Realms, people, groups, channels, conversations and messages. */
export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  up: (db) => db.exec(schema),
}

const schema = `
CREATE TABLE server_settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE realms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  string_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  date_created INTEGER NOT NULL,
  is_deactivated INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  delivery_email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  full_name TEXT NOT NULL,
  role INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_bot INTEGER NOT NULL DEFAULT 0,
  is_system_bot INTEGER NOT NULL DEFAULT 0,
  bot_type INTEGER,
  bot_owner_id INTEGER REFERENCES users(id),
  date_joined INTEGER NOT NULL,
  timezone TEXT NOT NULL DEFAULT '',
  avatar_source TEXT NOT NULL DEFAULT 'G',
  avatar_version INTEGER NOT NULL DEFAULT 1,
  password_hash TEXT,
  api_key TEXT NOT NULL,
  settings TEXT NOT NULL DEFAULT '{}',
  can_create_users INTEGER NOT NULL DEFAULT 0,
  can_change_user_emails INTEGER NOT NULL DEFAULT 0,
  UNIQUE (realm_id, email_key)
);

CREATE TABLE user_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  is_system_group INTEGER NOT NULL DEFAULT 0,
  deactivated INTEGER NOT NULL DEFAULT 0,
  creator_id INTEGER REFERENCES users(id),
  date_created INTEGER,
  settings TEXT NOT NULL DEFAULT '{}',
  UNIQUE (realm_id, name)
);

CREATE TABLE user_group_members (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  group_id INTEGER NOT NULL REFERENCES user_groups(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  PRIMARY KEY (group_id, user_id)
) WITHOUT ROWID;
CREATE INDEX user_group_members_by_user ON user_group_members (user_id);

CREATE TABLE user_group_subgroups (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  group_id INTEGER NOT NULL REFERENCES user_groups(id),
  subgroup_id INTEGER NOT NULL REFERENCES user_groups(id),
  PRIMARY KEY (group_id, subgroup_id)
) WITHOUT ROWID;
CREATE INDEX user_group_subgroups_by_subgroup ON user_group_subgroups (subgroup_id);

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  rendered_description TEXT NOT NULL DEFAULT '',
  date_created INTEGER NOT NULL,
  creator_id INTEGER REFERENCES users(id),
  invite_only INTEGER NOT NULL DEFAULT 0,
  is_web_public INTEGER NOT NULL DEFAULT 0,
  history_public_to_subscribers INTEGER NOT NULL DEFAULT 1,
  is_archived INTEGER NOT NULL DEFAULT 0,
  is_default INTEGER NOT NULL DEFAULT 0,
  message_retention_days INTEGER,
  first_message_id INTEGER,
  can_add_subscribers_group TEXT NOT NULL,
  can_administer_channel_group TEXT NOT NULL,
  can_remove_subscribers_group TEXT NOT NULL,
  can_send_message_group TEXT NOT NULL,
  can_subscribe_group TEXT NOT NULL
);
-- An archived channel gives its name back.
CREATE UNIQUE INDEX channels_by_name ON channels (realm_id, name_key) WHERE is_archived = 0;

CREATE TABLE subscriptions (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  channel_id INTEGER NOT NULL REFERENCES channels(id),
  is_active INTEGER NOT NULL DEFAULT 1,
  color TEXT NOT NULL,
  is_muted INTEGER NOT NULL DEFAULT 0,
  pin_to_top INTEGER NOT NULL DEFAULT 0,
  desktop_notifications INTEGER,
  email_notifications INTEGER,
  push_notifications INTEGER,
  audible_notifications INTEGER,
  wildcard_mentions_notify INTEGER,
  PRIMARY KEY (user_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id, is_active);

-- One row per set of recipients: a channel, or the users of a direct message (dm_key: their sorted ids).
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  channel_id INTEGER UNIQUE REFERENCES channels(id),
  dm_key TEXT,
  UNIQUE (realm_id, dm_key)
);

-- What a user received: the messages of a conversation with from_id < id <= to_id (null: still receiving).
CREATE TABLE spans (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  from_id INTEGER NOT NULL,
  to_id INTEGER,
  PRIMARY KEY (user_id, conversation_id, from_id)
) WITHOUT ROWID;
CREATE INDEX spans_by_conversation ON spans (conversation_id, to_id);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  sender_id INTEGER NOT NULL REFERENCES users(id),
  topic TEXT NOT NULL,
  topic_key TEXT NOT NULL,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  client TEXT NOT NULL,
  timestamp INTEGER NOT NULL,
  edit_history TEXT,
  last_edit_timestamp INTEGER,
  last_moved_timestamp INTEGER
);
CREATE INDEX messages_by_topic ON messages (conversation_id, topic_key, id);
CREATE INDEX messages_by_conversation ON messages (conversation_id, id);
CREATE INDEX messages_by_realm ON messages (realm_id, id);
CREATE INDEX messages_by_sender ON messages (sender_id, id);

-- Messages sent to a channel per day (days since the epoch), for its weekly traffic.
CREATE TABLE channel_traffic (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  channel_id INTEGER NOT NULL REFERENCES channels(id),
  day INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  PRIMARY KEY (channel_id, day)
) WITHOUT ROWID;

-- A message is read when (id <= read_through) differs from (an exception row exists).
CREATE TABLE read_cursors (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  read_through INTEGER NOT NULL,
  PRIMARY KEY (user_id, conversation_id)
) WITHOUT ROWID;

CREATE TABLE read_exceptions (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, conversation_id, message_id)
) WITHOUT ROWID;
CREATE INDEX read_exceptions_by_message ON read_exceptions (message_id);

-- Flags other than read, as a bit mask; a row only where one is set.
CREATE TABLE message_flags (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  flags INTEGER NOT NULL,
  PRIMARY KEY (user_id, message_id)
) WITHOUT ROWID;
CREATE INDEX message_flags_by_message ON message_flags (message_id);

CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users(id),
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL,
  UNIQUE (message_id, user_id, reaction_type, emoji_code)
);
CREATE INDEX reactions_by_user ON reactions (user_id);

CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  owner_id INTEGER NOT NULL REFERENCES users(id),
  name TEXT NOT NULL,
  path_id TEXT NOT NULL UNIQUE,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  create_time INTEGER NOT NULL
);
CREATE INDEX attachments_by_owner ON attachments (owner_id);

CREATE TABLE attachment_messages (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  attachment_id INTEGER NOT NULL REFERENCES attachments(id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  PRIMARY KEY (attachment_id, message_id)
) WITHOUT ROWID;
CREATE INDEX attachment_messages_by_message ON attachment_messages (message_id);

CREATE TABLE realm_emoji (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  name TEXT NOT NULL,
  author_id INTEGER REFERENCES users(id),
  file_name TEXT NOT NULL,
  is_animated INTEGER NOT NULL DEFAULT 0,
  deactivated INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX realm_emoji_by_name ON realm_emoji (realm_id, name) WHERE deactivated = 0;

CREATE TABLE profile_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  type INTEGER NOT NULL,
  sort_order INTEGER NOT NULL,
  name TEXT NOT NULL,
  hint TEXT NOT NULL DEFAULT '',
  field_data TEXT NOT NULL DEFAULT '',
  display_in_profile_summary INTEGER NOT NULL DEFAULT 0,
  required INTEGER NOT NULL DEFAULT 0,
  editable_by_user INTEGER NOT NULL DEFAULT 1,
  UNIQUE (realm_id, name)
);

CREATE TABLE profile_values (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  field_id INTEGER NOT NULL REFERENCES profile_fields(id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  rendered_value TEXT,
  PRIMARY KEY (user_id, field_id)
) WITHOUT ROWID;
CREATE INDEX profile_values_by_field ON profile_values (field_id);
`
