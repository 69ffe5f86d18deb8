/**
 * Queues outlive a clean stop of the server, so that an upgrade is nothing to clients but a poll that fails once. They
 * rest in the database from the stop to the next start, and only then: a crash, a backup or a copied folder can never
 * bring back a queue that has missed something.
 */
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { MERGE_BASE, VERSION } from '../version.ts'
import type { EventHub, KeptQueue, Queue } from './queues.ts'

/** The most that is kept of all queues together, in characters. Whoever polled last comes first. */
const KEPT_SIZE = 64 * 2 ** 20

const Entry = z.object({ id: z.int(), open: z.string() })
const Kept = z.object({
  id: z.string(),
  realmId: z.int(),
  userId: z.int(),
  client: z.string(),
  address: z.string(),
  eventTypes: z.array(z.string()).nullable(),
  allPublicStreams: z.boolean(),
  narrow: z.array(z.tuple([z.string(), z.string()])),
  applyMarkdown: z.boolean(),
  extAvatar: z.boolean(),
  capabilities: z.record(z.string(), z.boolean()),
  emptyTopicDisplayName: z.string(),
  createdAt: z.number(),
  lastPollAt: z.number().nullable(),
  entries: z.array(Entry),
  size: z.int(),
  lastEventId: z.int(),
  lastAcknowledgedId: z.int(),
}) satisfies z.ZodType<KeptQueue>

/** The program that wrote the queues. */
const writer = `${VERSION} ${MERGE_BASE}`

/** Lays the queues down, when nothing more can come in. */
export function keepQueues(database: Database, hub: EventHub, log: Logger): void {
  const queues = hub.keep()
  if (queues.length === 0) return
  try {
    database.transact(() => {
      let size = 0
      for (const queue of queues) {
        size += queue.size
        if (size > KEPT_SIZE) break
        database.run('INSERT INTO kept_queues (id, writer, state) VALUES (?, ?, ?)', [
          queue.id,
          writer,
          JSON.stringify(queue),
        ])
      }
    })
  } catch (error) {
    // Clients register anew, as after a crash.
    log.warn({ err: error }, 'could not keep the event queues')
  }
}

/**
 * Takes the queues up again. They are gone from the disk before the server answers anybody.
 * @returns those that came back, and whether another version of the program had laid them down
 */
export async function takeUpQueues(
  database: Database,
  hub: EventHub,
  log: Logger,
): Promise<{ queue: Queue; isNewProgram: boolean }[]> {
  const rows = database.all<{ writer: string; state: string }>('SELECT writer, state FROM kept_queues')
  if (rows.length === 0) return []
  const queues = rows.flatMap((row) => {
    try {
      const kept = Kept.parse(JSON.parse(row.state))
      return [{ queue: hub.reopen(kept), isNewProgram: row.writer !== writer }]
    } catch (error) {
      log.warn({ err: error }, 'could not take up an event queue')
      return []
    }
  })
  database.transact(() => database.run('DELETE FROM kept_queues'))
  await database.durable()
  return queues
}
