/** What schema 2 adds for event queues. */
export const queues = `
-- Event queues between a clean stop of the server and its next start; empty while it runs.
CREATE TABLE kept_queues (
  id TEXT PRIMARY KEY,
  -- The program that wrote it: version and commit.
  writer TEXT NOT NULL,
  -- JSON of the queue.
  state TEXT NOT NULL
) WITHOUT ROWID;
`
