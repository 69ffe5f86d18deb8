/** What schema 2 adds for personal. */
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
`
