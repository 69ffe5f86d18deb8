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

-- Words by which a search is confined in the index itself: realm, conversation, sender. They begin with U+E000, which
-- is taken out of what people search for.
ALTER TABLE messages ADD COLUMN search_scope TEXT AS (char(57344) || 'r' || realm_id || ' ' ||
  char(57344) || 'c' || conversation_id || ' ' || char(57344) || 's' || sender_id);
CREATE VIRTUAL TABLE message_search USING fts4(
  content="messages", content, topic_key, search_scope,
  tokenize=unicode61 "remove_diacritics=2", order=desc, matchinfo=fts3
);
CREATE VIRTUAL TABLE search_words USING fts3tokenize(unicode61, "remove_diacritics=2");
INSERT INTO message_search (message_search) VALUES ('automerge=8');
INSERT INTO message_search (message_search) VALUES ('rebuild');

-- Later messages are indexed in portions. Those that are, these keep as they are in the table.
INSERT INTO server_settings (key, value) SELECT 'search_indexed_through', COALESCE(MAX(id), 0) FROM messages;
CREATE TRIGGER search_forgets_deleted BEFORE DELETE ON messages
  WHEN old.id <= (SELECT CAST(value AS INTEGER) FROM server_settings WHERE key = 'search_indexed_through')
  BEGIN DELETE FROM message_search WHERE docid = old.id; END;
CREATE TRIGGER search_forgets_changed
  BEFORE UPDATE OF content, topic_key, conversation_id, sender_id, realm_id ON messages
  WHEN old.id <= (SELECT CAST(value AS INTEGER) FROM server_settings WHERE key = 'search_indexed_through')
  BEGIN DELETE FROM message_search WHERE docid = old.id; END;
CREATE TRIGGER search_finds_changed
  AFTER UPDATE OF content, topic_key, conversation_id, sender_id, realm_id ON messages
  WHEN new.id <= (SELECT CAST(value AS INTEGER) FROM server_settings WHERE key = 'search_indexed_through')
  BEGIN
    INSERT INTO message_search (docid, content, topic_key, search_scope)
      VALUES (new.id, new.content, new.topic_key, new.search_scope);
  END;
`
