/**
 * Keeps the full-text index up to date. To write every message into it as it is sent would make each send some three
 * times as expensive; in portions it costs a tenth of that. So new messages wait until somebody searches, or for a
 * quiet moment. What is in the index already, triggers keep as it is in `messages`.
 */
import type { Logger } from 'pino'
import type { Database } from '../../../db/database.ts'

/** Messages in one transaction: about 20 ms. */
const PORTION = 250
/** Milliseconds between two portions nobody waits for. */
const PAUSE = 25
/** Milliseconds between two looks for new messages. */
const INTERVAL = 2000

const PROGRESS = "FROM server_settings WHERE key = 'search_indexed_through'"

export class SearchIndex {
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /** Begins to index what is new every few seconds. */
  start(): void {
    this.timer = setTimeout(() => this.work(), INTERVAL)
    this.timer.unref()
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  /** Indexes all that is new. Where the disk takes no writes, searches go on with what is there. */
  catchUp(): void {
    while (this.indexPortion()) {}
  }

  private work(): void {
    const isMore = this.indexPortion()
    this.timer = setTimeout(() => this.work(), isMore ? PAUSE : INTERVAL)
    this.timer.unref()
  }

  /** @returns whether there is more */
  private indexPortion(): boolean {
    const { database } = this
    const { through, newest } = this.progress()
    if (newest <= through) return false
    try {
      database.transact(() => this.indexAfter(through))
    } catch (error) {
      this.log.warn({ err: error }, 'could not bring the search index up to date')
      return false
    }
    return this.progress().through < newest
  }

  private indexAfter(through: number): void {
    const { database } = this
    const [last] = database.all<{ id: number }>(
      'SELECT MAX(id) AS id FROM (SELECT id FROM messages WHERE id > ? ORDER BY id LIMIT ?)',
      [through, PORTION],
    )
    const id = last?.id ?? through
    database.run(
      `INSERT INTO message_search (docid, content, topic_key, search_scope)
       SELECT id, content, topic_key, search_scope FROM messages WHERE id > ? AND id <= ? ORDER BY id`,
      [through, id],
    )
    database.run("UPDATE server_settings SET value = ? WHERE key = 'search_indexed_through'", [String(id)])
  }

  private progress(): { through: number; newest: number } {
    const row = this.database.first<{ through: number; newest: number | null }>(
      `SELECT CAST(value AS INTEGER) AS through, (SELECT MAX(id) FROM messages) AS newest ${PROGRESS}`,
    )
    return { through: row?.through ?? 0, newest: row?.newest ?? 0 }
  }
}
