/** What schema 2 adds for people. */
export const people = `
-- JSON object of the personal settings that new users get in place of the defaults.
CREATE TABLE user_settings_defaults (
  realm_id INTEGER PRIMARY KEY REFERENCES realms(id),
  settings TEXT NOT NULL
);

-- Where an outgoing webhook bot is called, and the token by which its service knows this server.
CREATE TABLE bot_services (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  bot_id INTEGER PRIMARY KEY REFERENCES users(id),
  base_url TEXT NOT NULL,
  interface INTEGER NOT NULL,
  token TEXT NOT NULL
);

-- What a bot says about itself for its own program.
CREATE TABLE bot_settings (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  bot_id INTEGER PRIMARY KEY REFERENCES users(id),
  default_sending_channel_id INTEGER REFERENCES channels(id),
  default_events_register_channel_id INTEGER REFERENCES channels(id),
  default_all_public_streams INTEGER NOT NULL DEFAULT 0
);

-- Calls of outgoing webhook bots that have not succeeded yet.
CREATE TABLE bot_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  bot_id INTEGER NOT NULL REFERENCES users(id),
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  cause TEXT NOT NULL,
  realm_url TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX bot_calls_by_bot ON bot_calls (bot_id);
CREATE INDEX bot_calls_by_message ON bot_calls (message_id);
CREATE INDEX users_by_bot_owner ON users (bot_owner_id) WHERE bot_owner_id IS NOT NULL;

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  key TEXT NOT NULL UNIQUE,
  invited_by INTEGER NOT NULL REFERENCES users(id),
  -- Null: whoever has the link, as often as it is used.
  email TEXT,
  email_key TEXT,
  role INTEGER NOT NULL,
  channel_ids TEXT NOT NULL,
  group_ids TEXT NOT NULL,
  include_default_channels INTEGER NOT NULL,
  notify_referrer INTEGER NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER
);
CREATE INDEX invitations_by_email ON invitations (realm_id, email_key);
CREATE INDEX invitations_by_inviter ON invitations (invited_by);
`
