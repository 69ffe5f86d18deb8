/** What schema 2 adds for messages: editing, search, mentions, widgets, attachments. */
export const messages = `
-- What the HTML of a message holds, as bits: 1 a link, 2 an image, 4 an upload.
ALTER TABLE messages ADD COLUMN contents INTEGER NOT NULL DEFAULT 0;

-- Flags (bits as in message_flags) of everybody who received the message: one fact, however many they are.
ALTER TABLE messages ADD COLUMN shared_flags INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_with_shared_flags ON messages (realm_id, id) WHERE shared_flags > 0;

-- Names of users and groups are looked up as they are mentioned.
CREATE INDEX users_by_name ON users (realm_id, lower(full_name));

CREATE TABLE submessages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  sender_id INTEGER NOT NULL REFERENCES users(id),
  msg_type TEXT NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX submessages_by_message ON submessages (message_id);

CREATE TABLE alert_words (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  user_id INTEGER NOT NULL REFERENCES users(id),
  word TEXT NOT NULL,
  word_key TEXT NOT NULL,
  PRIMARY KEY (user_id, word_key)
) WITHOUT ROWID;
CREATE INDEX alert_words_by_realm ON alert_words (realm_id);

CREATE TABLE linkifiers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  sort_order INTEGER NOT NULL,
  pattern TEXT NOT NULL,
  url_template TEXT NOT NULL,
  UNIQUE (realm_id, pattern)
);

CREATE TABLE playgrounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  name TEXT NOT NULL,
  pygments_language TEXT NOT NULL,
  url_template TEXT NOT NULL,
  UNIQUE (realm_id, pygments_language, name)
);
`
