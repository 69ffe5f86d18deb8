/** Puts the server together. `main.ts` and every test start it here. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import type { Config, Flags } from './config.ts'
import type { Server } from './context.ts'
import { type DataFolder, openDataFolder } from './db/data-folder.ts'
import { type Database, openDatabase } from './db/database.ts'
import { StorageKeeper } from './db/keeper.ts'
import { migrate, NewerSchemaError } from './db/migrate.ts'
import { SearchIndex } from './features/messages/search/search-index.ts'
import { narrowToTest } from './features/messages/narrow/events.ts'
import { migrations } from './db/migrations/index.ts'
import { keepQueues, takeUpQueues } from './events/kept-queues.ts'
import { EventHub, type Queue } from './events/queues.ts'
import type { ParleyEvent } from './events/union.ts'
import { ActivityFeed } from './features/admin/activity-feed.ts'
import { AdminSessions } from './features/admin/sessions.ts'
import { Backups } from './features/backups/backups.ts'
import { finishRestore, type RestoreOutcome } from './features/backups/restore-folder.ts'
import { BotCalls } from './features/bots/calls.ts'
import { WatchedFolder } from './features/emoji/watched-folder.ts'
import { ZipImports } from './features/emoji/zip-import.ts'
import { createDemoRealm } from './features/demo/create-demo-realm.ts'
import { watchFullMembers } from './features/user-groups/full-members.ts'
import { Exports } from './features/exports/exports.ts'
import { allRealms } from './features/realms/store.ts'
import { PresenceBoard } from './features/presence/board.ts'
import { RetentionSweep } from './features/messages/retention.ts'
import { ScheduledDelivery } from './features/scheduled-messages/delivery.ts'
import { LiveConfig } from './live-config.ts'
import { createApp } from './http/app.ts'
import { randomKey } from './services/passwords.ts'
import { Throttle } from './services/throttle.ts'
import { FEATURE_LEVEL, MERGE_BASE, VERSION } from './version.ts'

export interface RunningServer {
  /** Address of the default realm, without a slash at its end. */
  url: string
  /** Address of the admin page, with the token that lets its opener in. */
  adminUrl: string
  adminToken: string
  /** Passwords made for the demo realm, to be shown this once. */
  demoPasswords: Record<string, string> | null
  server: Server
  /** Resolves when the server wants to be closed and created anew, with what a restore has prepared. */
  restartWanted: Promise<void>
  /** Answers what was accepted, puts everything on disk, and lets go of the data folder. */
  close: () => Promise<void>
}

export interface ServerOptions {
  log?: Logger
  /** Milliseconds since the epoch. */
  now?: () => number
  /** Listen on a free port of this machine only, whatever the config says: for a command that needs a server. */
  privately?: boolean
  /** What the config was loaded with: flags go on to win over a file that changes. */
  flags?: Flags
}

/**
 * @throws DataFolderInUseError when another server has the folder
 * @throws DataFolderError, DamagedDatabaseError, NewerSchemaError when it cannot be used; nothing in it is changed
 */
export async function createServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const log = options.log ?? pino({ level: config.log }, pino.destination({ dest: 2, sync: true }))
  const folder = await openDataFolder(config.dataDir, { log })
  try {
    const restored = await finishRestore(folder.path)
    if (restored) log.warn(restored, restored.ok ? 'restored a backup' : 'could not restore the backup')
    const database = await openDatabase(folder.database, { log })
    try {
      await migrate(database, migrations, { file: folder.database, version: VERSION })
      return await listen(config, options, log, folder, database, restored)
    } catch (error) {
      // Not a byte of a file that this program cannot use is changed, not even to tidy up.
      if (error instanceof NewerSchemaError) database.abandon()
      else await database.close()
      throw error
    }
  } catch (error) {
    folder.release()
    throw error
  }
}

async function listen(
  given: Config,
  { now = Date.now, privately = false, flags = {} }: ServerOptions,
  log: Logger,
  folder: DataFolder,
  database: Database,
  restored: RestoreOutcome | null,
): Promise<RunningServer> {
  // Changed in place by what follows the file.
  const config = { ...given }
  // The admin link stays the same, so that it can be kept.
  const adminToken = serverSecret(database, 'admin_token')
  const http = createHttpServer({ keepAliveTimeout: 65_000, requestTimeout: REQUEST_MS })
  const hub = new EventHub({
    limits: config,
    filterFor: (narrow) => {
      const fits = narrowToTest(narrow)
      return (event, flags) => event.type !== 'message' || fits(event.message, flags ?? event.flags)
    },
    checkEvents: config.dev,
    now,
    durableSequence: () => database.durableSequence,
  })
  database.onDurable((sequence) => hub.release(sequence))
  database.onLoss((sequence) => hub.forget(sequence))
  const activity = new ActivityFeed(() => server)
  let restart = (): void => {}
  const restartWanted = new Promise<void>((resolve) => {
    restart = resolve
  })
  // Known once the server listens, and still while it stops.
  let url = ''
  const server: Server = {
    config,
    liveConfig: new LiveConfig(() => server, flags),
    log,
    database,
    storage: new StorageKeeper(database, { log, now }),
    folder,
    hub,
    activity,
    backups: new Backups(() => server, restored && { ...restored, at: Math.floor(now() / 1000) }),
    exports: new Exports(() => server),
    adminSessions: new AdminSessions(adminToken, now),
    botCalls: new BotCalls(() => server),
    retention: new RetentionSweep(() => server),
    presence: new PresenceBoard(() => server),
    delivery: new ScheduledDelivery(() => server),
    signInThrottle: new Throttle(10, 15 * 60),
    emojiFolder: new WatchedFolder(() => server),
    emojiImports: new ZipImports(() => server),
    joinThrottle: new Throttle(30, 15 * 60),
    uploadKey: serverSecret(database, 'upload_key'),
    searchIndex: new SearchIndex(database, log),
    now,
    startedAt: now(),
    url: () => url,
    restart,
  }
  const wantsDemo = config.demo && allRealms(database).length === 0
  const demoPasswords = wantsDemo ? await createDemoRealm(server, now()) : null
  await database.durable()
  hub.observe(activity)
  const kept = await takeUpQueues(database, hub, log)
  // A command's own server only passes them on.
  if (!privately) tellOfRestart(server, kept)
  const app = createApp(server)
  http.on('request', (req, res) => {
    // A client that keeps its connection would keep a stopping server.
    if (!http.listening) res.setHeader('Connection', 'close')
    app(req, res)
  })
  await bind(http, privately ? 0 : config.port, privately ? '127.0.0.1' : config.host)
  url = addressOf(http, config.host)
  await server.exports.start()
  // A command's own server is gone in a moment.
  if (!privately) {
    server.liveConfig.start()
    await server.backups.start()
    await server.emojiFolder.start()
    server.botCalls.wake()
    server.searchIndex.start()
    server.delivery.start()
    server.retention.start()
  }
  const endWatch = watchFullMembers(server)
  folder.announce({ url, token: adminToken })
  log.info({ url, dataDir: config.dataDir, version: VERSION }, 'ready')
  const adminUrl = `${url}/admin/#token=${adminToken}`
  return {
    url,
    adminUrl,
    adminToken,
    demoPasswords,
    server,
    restartWanted,
    close: async () => {
      endWatch()
      await server.exports.close()
      await close(server, http)
    },
  }
}

/** Clients whose queues came back learn that the server was away, and web pages that there is a newer page. */
function tellOfRestart(
  { hub, startedAt }: Server,
  kept: readonly { queue: Queue; isNewProgram: boolean }[],
): void {
  const restart: ParleyEvent = {
    type: 'restart',
    svc_version: VERSION,
    svc_merge_base: MERGE_BASE,
    svc_feature_level: FEATURE_LEVEL,
    server_generation: Math.floor(startedAt / 1000),
  }
  for (const { queue, isNewProgram } of kept) {
    hub.tell(queue, restart)
    if (isNewProgram) hub.tell(queue, { type: 'web_reload_client', immediate: false })
  }
}

/** A secret of this server, made when it is first needed and the same from start to start. */
function serverSecret(database: Database, key: string): string {
  const known = database.first<{ value: string }>('SELECT value FROM server_settings WHERE key = ?', [key])
  if (known) return known.value
  const value = randomKey(32)
  database.transact(() =>
    database.run('INSERT INTO server_settings (key, value) VALUES (?, ?)', [key, value]),
  )
  return value
}

function bind(http: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })
}

/** Where this machine reaches the server: a wildcard address is reached as this machine. */
function addressOf(http: HttpServer, host: string): string {
  const { port, address, family } = http.address() as AddressInfo
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`
  return family === 'IPv6' ? `http://[${address}]:${port}` : `http://${address}:${port}`
}

/** How long a request may take to arrive: a backup of many gigabytes can be sent from another machine. */
const REQUEST_MS = 60 * 60_000

/** How long requests that were accepted may take to be answered once the server is stopping. */
const DRAIN_MS = 5000

async function close(server: Server, http: HttpServer): Promise<void> {
  const { hub, activity, backups, botCalls, delivery, retention, presence, emojiFolder, searchIndex } = server
  const { database, storage, folder, log } = server
  searchIndex.stop()
  hub.close()
  activity.close()
  server.liveConfig.close()
  const backupsClosed = Promise.all([backups.close(), emojiFolder.close()])
  delivery.close()
  const swept = retention.close()
  const callsEnded = botCalls.close()
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  // Connections of polls that were just answered become idle one by one.
  const closeIdle = setInterval(() => http.closeIdleConnections(), 20)
  const cutOff = setTimeout(() => http.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(cutOff)
  clearInterval(closeIdle)
  await backupsClosed
  await swept
  presence.close()
  await callsEnded
  keepQueues(database, hub, log)
  await storage.close()
  await database.close()
  folder.release()
  log.info('stopped')
}
