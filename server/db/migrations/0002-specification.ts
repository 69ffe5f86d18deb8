import type { Migration } from '../migrate.ts'
import { channels } from './0002-specification/channels.ts'
import { files } from './0002-specification/files.ts'
import { messages } from './0002-specification/messages.ts'
import { organization } from './0002-specification/organization.ts'
import { people } from './0002-specification/people.ts'
import { personal } from './0002-specification/personal.ts'
import { queues } from './0002-specification/queues.ts'

/** The tables of everything else that the specification names, one file for each area. */
export const specification: Migration = {
  id: 2,
  name: 'specification',
  up: (db) => {
    for (const schema of [messages, personal, people, channels, organization, queues, files]) db.exec(schema)
  },
}
