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

-- A message that was moved stays received and read where it was sent: spans, cursors and exceptions of the
-- conversation "received_in" go on to speak of it (null: those of its own). So a move is one change of its row,
-- whoever received it.
ALTER TABLE messages ADD COLUMN received_in INTEGER REFERENCES conversations(id);
CREATE INDEX messages_by_received_in ON messages (received_in, id) WHERE received_in IS NOT NULL;
-- Where it was moved into a channel with protected history, only these readers have it (null: all who received it).
ALTER TABLE messages ADD COLUMN readers_id INTEGER REFERENCES reader_lists(id);
CREATE INDEX messages_by_readers ON messages (readers_id) WHERE readers_id IS NOT NULL;

CREATE TABLE reader_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id)
);
CREATE TABLE readers (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  list_id INTEGER NOT NULL REFERENCES reader_lists(id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users(id),
  PRIMARY KEY (list_id, user_id)
) WITHOUT ROWID;

-- Where messages received in one conversation have gone: what is closed to a user follows from these.
CREATE TABLE moved_to (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  received_in INTEGER NOT NULL REFERENCES conversations(id),
  conversation_id INTEGER NOT NULL REFERENCES conversations(id),
  PRIMARY KEY (received_in, conversation_id)
) WITHOUT ROWID;
`
