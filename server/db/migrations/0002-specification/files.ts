/** What schema 2 adds for files and pictures. */
export const files = `
-- The space that an organization uses is summed up from the index alone.
CREATE INDEX attachments_by_realm ON attachments (realm_id, size);

-- The picture that the user uploaded: "uploads/REALM/avatars/FILE.png", and "FILE-medium.png" beside it.
ALTER TABLE users ADD COLUMN avatar_file TEXT;

-- Pictures of the organization itself: icon, logo, night_logo. Without a file the server draws one.
CREATE TABLE realm_pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  kind TEXT NOT NULL,
  file_name TEXT,
  version INTEGER NOT NULL,
  UNIQUE (realm_id, kind)
);

-- A picture that shows an animated one at rest.
ALTER TABLE realm_emoji ADD COLUMN still_file TEXT;
-- Where an emoji comes from the watched folder: its file's name there, and a hash of its bytes.
ALTER TABLE realm_emoji ADD COLUMN source_file TEXT;
ALTER TABLE realm_emoji ADD COLUMN source_hash TEXT;
CREATE INDEX realm_emoji_by_source ON realm_emoji (realm_id, source_file) WHERE source_file IS NOT NULL;
`
