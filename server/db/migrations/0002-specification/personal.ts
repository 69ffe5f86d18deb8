/** What schema 2 adds for single people: choices, drafts, scheduled messages, presence. */
export const personal = `
-- What users chose for topics: 1 muted, 2 unmuted, 3 followed. No choice, no row.
CREATE TABLE user_topics (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  channel_id INTEGER NOT NULL REFERENCES channels(id),
  topic TEXT NOT NULL,
  topic_key TEXT NOT NULL,
  visibility_policy INTEGER NOT NULL,
  last_updated INTEGER NOT NULL,
  PRIMARY KEY (user_id, channel_id, topic_key)
) WITHOUT ROWID;
CREATE INDEX user_topics_by_topic ON user_topics (channel_id, topic_key);

-- recipients: JSON list of a channel's id, or of users' ids.
CREATE TABLE drafts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  type TEXT NOT NULL,
  recipients TEXT NOT NULL,
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  timestamp INTEGER NOT NULL
);
CREATE INDEX drafts_by_user ON drafts (user_id, timestamp);

CREATE TABLE saved_snippets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  date_created INTEGER NOT NULL
);
CREATE INDEX saved_snippets_by_user ON saved_snippets (user_id);

-- Messages to be sent later: to a channel, or to users (user_ids: JSON list). Failed ones wait for their sender.
CREATE TABLE scheduled_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  channel_id INTEGER REFERENCES channels(id),
  topic TEXT NOT NULL,
  user_ids TEXT,
  content TEXT NOT NULL,
  rendered_content TEXT NOT NULL,
  delivery_at INTEGER NOT NULL,
  read_by_sender INTEGER NOT NULL,
  client TEXT NOT NULL,
  failed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX scheduled_messages_by_user ON scheduled_messages (user_id, delivery_at);
CREATE INDEX scheduled_messages_by_time ON scheduled_messages (delivery_at) WHERE failed = 0;

CREATE TABLE muted_users (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  muted_user_id INTEGER NOT NULL REFERENCES users(id),
  timestamp INTEGER NOT NULL,
  PRIMARY KEY (user_id, muted_user_id)
) WITHOUT ROWID;
CREATE INDEX muted_users_by_muted_user ON muted_users (muted_user_id);

CREATE TABLE user_statuses (
  user_id INTEGER PRIMARY KEY REFERENCES users(id),
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  status_text TEXT NOT NULL,
  emoji_name TEXT NOT NULL,
  emoji_code TEXT NOT NULL,
  reaction_type TEXT NOT NULL
);
CREATE INDEX user_statuses_by_realm ON user_statuses (realm_id);

-- When people were last here, as of a few minutes ago: the newest is in memory.
CREATE TABLE presences (
  user_id INTEGER PRIMARY KEY REFERENCES users(id),
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  active_at INTEGER NOT NULL,
  idle_at INTEGER NOT NULL,
  update_id INTEGER NOT NULL
);
CREATE INDEX presences_by_realm ON presences (realm_id);

-- Introductions that a user has seen.
CREATE TABLE onboarding_steps (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  name TEXT NOT NULL,
  PRIMARY KEY (user_id, name)
) WITHOUT ROWID;

CREATE TABLE device_tokens (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  token TEXT NOT NULL,
  date_created INTEGER NOT NULL,
  PRIMARY KEY (user_id, token)
) WITHOUT ROWID;

ALTER TABLE users ADD COLUMN has_call_token INTEGER NOT NULL DEFAULT 0;
`
