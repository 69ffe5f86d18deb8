/** What code that serves a request is given. Nothing is global. */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { DataFolder } from './db/data-folder.ts'
import type { StorageKeeper } from './db/keeper.ts'
import { type Outcome, Reader, Tx } from './db/transaction.ts'
import type { EventHub } from './events/queues.ts'
import type { AdminSessions } from './features/admin/sessions.ts'
import type { ActivityFeed } from './features/admin/activity-feed.ts'
import type { Backups } from './features/backups/backups.ts'
import type { WatchedFolder } from './features/emoji/watched-folder.ts'
import type { ZipImports } from './features/emoji/zip-import.ts'
import type { BotCalls } from './features/bots/calls.ts'
import type { SearchIndex } from './features/messages/search/search-index.ts'
import type { Exports } from './features/exports/exports.ts'
import type { Realm } from './features/realms/store.ts'
import type { RetentionSweep } from './features/messages/retention.ts'
import type { PresenceBoard } from './features/presence/board.ts'
import type { ScheduledDelivery } from './features/scheduled-messages/delivery.ts'
import type { LiveConfig } from './live-config.ts'
import type { Throttle } from './services/throttle.ts'

/** What lives as long as the server does. */
export interface Server {
  config: Config
  /** Follows `config.json`. */
  liveConfig: LiveConfig
  log: Logger
  database: Database
  /** Whether writes can be kept; resumes by itself when they could not. */
  storage: StorageKeeper
  folder: DataFolder
  hub: EventHub
  adminSessions: AdminSessions
  activity: ActivityFeed
  backups: Backups
  botCalls: BotCalls
  exports: Exports
  signInThrottle: Throttle
  emojiFolder: WatchedFolder
  /** Archives of emoji that were sent and wait for what is chosen of them. */
  emojiImports: ZipImports
  joinThrottle: Throttle
  /** Signs the addresses of files that work without credentials. */
  uploadKey: string
  searchIndex: SearchIndex
  /** Sends scheduled messages on time. */
  delivery: ScheduledDelivery
  retention: RetentionSweep
  /** When people were last here. */
  presence: PresenceBoard
  /** Milliseconds since the epoch. */
  now: () => number
  startedAt: number
  /** The server's own address, once it listens. */
  url: () => string
  /** Asks whoever runs the server to stop it and start it again. */
  restart: () => void
}

/** One realm of the server: its data, and the one way to change it. */
export class RealmContext {
  readonly db: Reader

  constructor(
    readonly server: Server,
    readonly realm: Realm,
  ) {
    this.db = new Reader(server.database, realm.id)
  }

  /** The realm's address, without a slash at its end: as the client of a request reaches it, where there is one. */
  get realmUrl(): string {
    return `${this.server.url()}/r/${this.realm.stringId}`
  }

  /**
   * Runs a write. Everything in it happens, or nothing. It answers at once; the reply to the client and the noted
   * events wait until the commit is on disk.
   */
  transact<T>(write: (tx: Tx) => T): T {
    return transactIn(this.server, this.realm.id, write)
  }
}

/** {@link RealmContext.transact}, also for a realm that the very transaction makes: `realmId` then runs inside it. */
export function transactIn<T>(server: Server, realmId: number | (() => number), write: (tx: Tx) => T): T {
  const outcome: Outcome = { events: [], afterwards: [], takenBack: [] }
  const now = Math.floor(server.now() / 1000)
  const result = runTransaction(server.database, outcome, () => {
    const id = typeof realmId === 'number' ? realmId : realmId()
    return write(new Tx(server.database, id, now, outcome))
  })
  server.hub.note(server.database.sequence, outcome.events)
  for (const act of outcome.afterwards) act()
  return result
}

function runTransaction<T>(database: Database, outcome: Outcome, write: () => T): T {
  try {
    return database.transact(write)
  } catch (error) {
    for (const act of outcome.takenBack) act()
    throw error
  }
}

/** A realm as one request addresses it. */
export class RequestContext extends RealmContext {
  constructor(
    server: Server,
    realm: Realm,
    readonly request: RequestFacts,
  ) {
    super(server, realm)
  }

  override get realmUrl(): string {
    return this.request.realmUrl
  }

  /** The same request, turned to another realm: for the admin page, which serves all of them. */
  inRealm(realm: Realm): RealmContext {
    return new RealmContext(this.server, realm)
  }
}

export interface RequestFacts {
  /** Name of the client, from its `User-Agent`. */
  client: string
  /** Network address it comes from. */
  address: string
  /** The realm's address as this client reaches it, without a slash at its end. */
  realmUrl: string
  /** Has something called when the client goes away, or once the reply is sent. */
  onGone: (listener: () => void) => void
  /** Sets the cookie of the admin page, or takes it away (null). */
  setSessionCookie: (value: string | null) => void
  /** Answers with a stream of server-sent events instead of one reply. */
  openStream: () => EventStream
  /** Answers with a file to be saved under a name. */
  sendFile: (file: string, name: string) => Promise<void>
  /** The body, where it is of a kind that carries no parameters. */
  body: () => Readable
}

export interface EventStream {
  send: (event: string, data: unknown) => void
  end: () => void
}
