/** What schema 2 adds for messages: editing, search, mentions, widgets, attachments. */
export const messages = `
-- What the HTML of a message holds, as bits: 1 a link, 2 an image, 4 an upload.
ALTER TABLE messages ADD COLUMN contents INTEGER NOT NULL DEFAULT 0;
`
