/** Deletes messages that are older than their organization or channel keeps them, and tells what else a day brings. */
import { setImmediate as pause } from 'node:timers/promises'
import { RealmContext, type Server } from '../../context.ts'
import { StorageUnavailableError } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { tellOfQuietChannels } from '../channels/activity.ts'
import { allRealms, type Realm } from '../realms/store.ts'
import { deleteMessages } from './delete-actions.ts'

const DAY_MS = 86_400_000
/** How often the day is looked at: a machine may sleep through a longer timer. */
const LOOK_EVERY = 15 * 60_000
/** How many messages one transaction deletes, so that others need not wait long. */
const BATCH = 200

export class RetentionSweep {
  private timer: NodeJS.Timeout | null = null
  private sweptAt = Number.NEGATIVE_INFINITY
  private sweeping: Promise<void> | null = null
  private closed = false

  constructor(private readonly server: () => Server) {}

  start(): void {
    this.timer = setInterval(() => this.look(), LOOK_EVERY).unref()
    this.look()
  }

  private look(): void {
    const now = this.server().now()
    if (this.sweeping || now - this.sweptAt < DAY_MS) return
    this.sweeping = this.sweep()
      .then(
        () => void (this.sweptAt = now),
        (error: unknown) => {
          if (!(error instanceof StorageUnavailableError))
            this.server().log.error({ err: error }, 'message retention')
        },
      )
      .finally(() => {
        this.sweeping = null
      })
  }

  /** Deletes everything that is too old now. */
  async sweep(): Promise<void> {
    const server = this.server()
    for (const realm of allRealms(server.database)) {
      const ctx = new RealmContext(server, realm)
      ctx.transact((tx) => tellOfQuietChannels(ctx, tx))
      for (const { conversation_id, days } of limitedConversations(ctx, realm)) {
        const before = Math.floor(server.now() / 1000) - days * 86_400
        while (!this.closed && ctx.transact((tx) => deleteOldest(ctx, tx, conversation_id, before)))
          await pause()
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true
    if (this.timer) clearInterval(this.timer)
    await this.sweeping
  }
}

/** Conversations that do not keep their messages for ever. A channel's own limit wins; -1 is for ever. */
const limitedConversations = (ctx: RealmContext, realm: Realm): { conversation_id: number; days: number }[] =>
  ctx.db
    .sql<{ conversation_id: number; own: number | null }>(
      `SELECT c.id AS conversation_id, h.message_retention_days AS own
         FROM conversations c LEFT JOIN channels h ON h.id = c.channel_id WHERE c.realm_id = :realm`,
    )
    .map(({ conversation_id, own }) => ({
      conversation_id,
      days: own ?? realm.settings.message_retention_days,
    }))
    .filter(({ days }) => days > 0)

/** Answers whether there may be more. */
function deleteOldest(ctx: RealmContext, tx: Tx, conversationId: number, before: number): boolean {
  const oldest = tx.sql<{ id: number; timestamp: number }>(
    `SELECT id, timestamp FROM messages WHERE conversation_id = ? AND +realm_id = :realm ORDER BY id LIMIT ${BATCH}`,
    [conversationId],
  )
  const expired = oldest.filter(({ timestamp }) => timestamp < before).map(({ id }) => id)
  if (expired.length > 0) deleteMessages(ctx, tx, expired)
  return expired.length === BATCH
}
