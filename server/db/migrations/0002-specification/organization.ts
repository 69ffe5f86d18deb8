/** What schema 2 adds for organizations: their domains, groups of default channels, exports. */
export const organization = `
CREATE TABLE realm_domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  domain TEXT NOT NULL,
  allow_subdomains INTEGER NOT NULL DEFAULT 0,
  UNIQUE (realm_id, domain)
);

CREATE TABLE default_channel_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  UNIQUE (realm_id, name)
);

CREATE TABLE default_channel_group_channels (
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  group_id INTEGER NOT NULL REFERENCES default_channel_groups(id) ON DELETE CASCADE,
  channel_id INTEGER NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX default_channel_group_channels_by_channel ON default_channel_group_channels (channel_id);

-- Pending while none of the three times is set. The token is part of the address at which the file is fetched.
CREATE TABLE realm_exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  realm_id INTEGER NOT NULL REFERENCES realms(id),
  acting_user_id INTEGER NOT NULL REFERENCES users(id),
  export_type INTEGER NOT NULL,
  token TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  failed_at INTEGER,
  deleted_at INTEGER
);
CREATE INDEX realm_exports_by_realm ON realm_exports (realm_id, id);
`
