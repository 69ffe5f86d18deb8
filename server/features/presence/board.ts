/**
 * When people were last here. A client says so every minute, which is not worth a durable write each: the newest is in
 * memory and goes into the database every few minutes and when the server stops. A crash loses those minutes.
 */
import { type Server, transactIn } from '../../context.ts'
import { StorageUnavailableError } from '../../db/database.ts'

export interface Presence {
  /** When somebody last used a client, UNIX seconds. */
  active_at: number
  /** When a client was last connected, UNIX seconds. */
  idle_at: number
  /** Larger than that of every earlier change. */
  update_id: number
}

/** How often what changed is saved, in milliseconds. */
const SAVE_EVERY = 5 * 60_000

export class PresenceBoard {
  private readonly byRealm = new Map<number, Map<number, Presence>>()
  private readonly unsaved = new Map<number, Set<number>>()
  private readonly timer: NodeJS.Timeout
  private lastUpdateId = 0

  constructor(private readonly server: () => Server) {
    this.timer = setInterval(() => this.save(), SAVE_EVERY).unref()
  }

  /** By user. */
  of(realmId: number): ReadonlyMap<number, Presence> {
    return this.realm(realmId)
  }

  private realm(realmId: number): Map<number, Presence> {
    let known = this.byRealm.get(realmId)
    if (!known) {
      const rows = this.server().database.all<Presence & { user_id: number }>(
        'SELECT user_id, active_at, idle_at, update_id FROM presences WHERE realm_id = ?',
        [realmId],
      )
      known = new Map(rows.map(({ user_id, ...presence }) => [user_id, presence]))
      this.byRealm.set(realmId, known)
    }
    return known
  }

  /**
   * Notes that a user is here.
   * @param since what counts as the last activity of somebody who was never active, UNIX seconds
   * @returns how it was before, and how it is
   */
  note(
    realmId: number,
    userId: number,
    status: 'active' | 'idle',
    since: number,
  ): { before: Presence | undefined; after: Presence } {
    const realm = this.realm(realmId)
    const before = realm.get(userId)
    const milliseconds = this.server().now()
    const now = Math.floor(milliseconds / 1000)
    // By the clock, so that the numbers go on growing after a crash forgot the last of them.
    this.lastUpdateId = Math.max(this.lastUpdateId + 1, milliseconds)
    const active_at = status === 'active' ? now : (before?.active_at ?? since)
    const after = { active_at, idle_at: now, update_id: this.lastUpdateId }
    realm.set(userId, after)
    const unsaved = this.unsaved.get(realmId) ?? new Set()
    this.unsaved.set(realmId, unsaved.add(userId))
    return { before, after }
  }

  /** Writes what changed. Where nothing can be saved it is tried again with what comes later. */
  save(): void {
    const server = this.server()
    for (const [realmId, userIds] of this.unsaved) {
      const realm = this.realm(realmId)
      try {
        transactIn(server, realmId, (tx) => {
          for (const userId of userIds) {
            const { active_at, idle_at, update_id } = realm.get(userId) as Presence
            tx.runSql(
              `INSERT INTO presences (user_id, realm_id, active_at, idle_at, update_id) VALUES (?, :realm, ?, ?, ?)
               ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at, idle_at = excluded.idle_at,
                 update_id = excluded.update_id`,
              [userId, active_at, idle_at, update_id],
            )
          }
        })
        this.unsaved.delete(realmId)
      } catch (error) {
        if (!(error instanceof StorageUnavailableError)) server.log.error({ err: error }, 'presence')
      }
    }
  }

  close(): void {
    clearInterval(this.timer)
    this.save()
  }
}
