/**
 * The folder `emoji/` of the data folder: a picture that somebody puts there becomes an emoji of the default
 * organization, one in `emoji/NAME/` of the organization NAME, and one that is taken away is deactivated.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { RealmContext, type Server } from '../../context.ts'
import { errorCode } from '../../db/file-calls.ts'
import { BadRequestError } from '../../http/errors.ts'
import { MIB, tooLarge } from '../../http/multipart.ts'
import { defaultRealm, type Realm, realmByStringId } from '../realms/store.ts'
import { assertFree } from './access.ts'
import { addEmoji, deactivateEmoji, replacePicture, withEmojiPicture } from './actions.ts'
import { parseEmojiName } from './names.ts'
import type { RealmEmoji } from './present.ts'

export interface WatchedFile {
  /** Below the watched folder, with forward slashes. */
  file: string
  /** Name of the organization; null where there is none of that name. */
  realm: string | null
  status: 'used' | 'refused' | 'taken_away' | 'waiting'
  /** Why it is not used. */
  reason: string | null
}

const LOOK_EVERY_MS = 1000
/** What is still being written changes more often than this. */
const SETTLED_MS = 200
const RETRY_MS = 30_000

export class WatchedFolder {
  /** As of the last look. */
  files: WatchedFile[] = []
  readonly #server: () => Server
  #watcher: FSWatcher | null = null
  #watched = ''
  #look: NodeJS.Timeout | null = null
  #due: NodeJS.Timeout | null = null
  #work: Promise<void> = Promise.resolve()
  #closed = false
  /** What became of a file's bytes, so that a bad one is not decoded at each look. */
  readonly #refused = new Map<string, { stamp: string; reason: string }>()

  constructor(server: () => Server) {
    this.#server = server
  }

  get path(): string {
    return this.#server().folder.emoji
  }

  async start(): Promise<void> {
    this.#look = setInterval(() => void this.#follow(), LOOK_EVERY_MS).unref()
    await this.#follow()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#look) clearInterval(this.#look)
    if (this.#due) clearTimeout(this.#due)
    await this.#watcher?.close()
    await this.#work
  }

  /** Watches the folder that is there now: it may come, go, and be another one. */
  async #follow(): Promise<void> {
    const found = await stat(this.path).catch(() => null)
    const watched = found?.isDirectory() ? `${found.dev}:${found.ino}` : ''
    if (watched === this.#watched || this.#closed) return
    this.#watched = watched
    const old = this.#watcher
    this.#watcher = null
    if (watched !== '') {
      const settled = { stabilityThreshold: SETTLED_MS, pollInterval: 50 }
      this.#watcher = watch(this.path, { ignoreInitial: true, depth: 1, awaitWriteFinish: settled })
      this.#watcher.on('all', () => this.#soon(0)).on('error', (error) => this.#warn(error))
    }
    this.#soon(0)
    await old?.close()
  }

  #soon(ms: number): void {
    if (this.#closed || (this.#due && ms > 0)) return
    if (this.#due) clearTimeout(this.#due)
    this.#due = setTimeout(() => {
      this.#due = null
      this.#work = this.#work.then(() => this.reconcile()).catch((error: unknown) => this.#warn(error))
    }, ms).unref()
  }

  #warn(error: unknown): void {
    this.#server().log.warn({ err: error }, 'the folder of emoji could not be read')
  }

  /** Makes the emoji what the folder says. Of a folder that is not there nothing is concluded. */
  async reconcile(): Promise<void> {
    const server = this.#server()
    const { database } = server
    const first = defaultRealm(database)
    const files: WatchedFile[] = []
    const present = new Map<number, Set<string>>()
    const entries = await list(this.path)
    if (entries === null) {
      this.files = []
      return
    }
    for (const file of entries) {
      if (this.#closed) return
      const [folder, inFolder] = file.split('/', 2)
      const realm = inFolder === undefined ? first : realmByStringId(database, folder ?? '')
      if (!realm) {
        files.push({ file, realm: null, status: 'refused', reason: 'There is no such organization' })
        continue
      }
      present.set(realm.id, (present.get(realm.id) ?? new Set()).add(file))
      const outcome = await this.#take(realm, file)
      files.push({ file, realm: realm.stringId, ...outcome })
      if (outcome.status === 'waiting') this.#soon(outcome.reason === null ? SETTLED_MS : RETRY_MS)
    }
    const gone = database
      .all<RealmEmoji>('SELECT * FROM realm_emoji WHERE source_file IS NOT NULL')
      .filter((emoji) => !present.get(emoji.realm_id)?.has(emoji.source_file ?? ''))
    for (const emoji of gone) this.#drop(emoji)
    this.files = files
    await database.durable()
  }

  #drop({ id, realm_id, deactivated }: RealmEmoji): void {
    const server = this.#server()
    const realm = { ...defaultRealm(server.database), id: realm_id } as Realm
    try {
      new RealmContext(server, realm).transact((tx) => {
        tx.run(tx.q.updateTable('realm_emoji').set({ source_file: null }).where('id', '=', id))
        if (!deactivated) deactivateEmoji(tx, id)
      })
    } catch (error) {
      this.#warn(error)
      this.#soon(RETRY_MS)
    }
  }

  async #take(realm: Realm, file: string): Promise<Pick<WatchedFile, 'status' | 'reason'>> {
    const server = this.#server()
    const path = join(this.path, file)
    try {
      const { mtimeMs, size } = await stat(path)
      if (Date.now() - mtimeMs < SETTLED_MS) return { status: 'waiting', reason: null }
      const stamp = `${mtimeMs} ${size}`
      const refused = this.#refused.get(file)
      const maxBytes = server.config.maxEmojiFileSizeMib * MIB
      try {
        if (size > maxBytes) throw tooLarge(maxBytes)
        const bytes = await readFile(path)
        const known = knownOf(server, realm, file)
        const hash = createHash('sha256').update(bytes).digest('hex')
        if (known?.source_hash === hash) {
          return known.deactivated
            ? { status: 'taken_away', reason: 'It was taken away in the organization' }
            : { status: 'used', reason: null }
        }
        if (refused?.stamp === stamp && !isConflict(refused.reason)) {
          return { status: 'refused', reason: refused.reason }
        }
        await this.#use(realm, file, bytes, hash, known)
        server.log.info({ file, realm: realm.stringId }, 'an emoji from the folder')
        return { status: 'used', reason: null }
      } catch (error) {
        if (!(error instanceof BadRequestError)) throw error
        this.#refused.set(file, { stamp, reason: error.message })
        if (refused?.stamp !== stamp) server.log.warn({ file, reason: error.message }, 'not used as an emoji')
        return { status: 'refused', reason: error.message }
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { status: 'waiting', reason: null }
      this.#warn(error)
      return { status: 'waiting', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  async #use(
    realm: Realm,
    file: string,
    bytes: Uint8Array,
    source_hash: string,
    known: RealmEmoji | undefined,
  ): Promise<void> {
    const ctx = new RealmContext(this.#server(), realm)
    const name = parseEmojiName((file.split('/').at(-1) ?? '').replace(/\.[^.]+$/, ''))
    const isReplaced = known !== undefined && !known.deactivated
    if (!isReplaced) assertFree(ctx.db, name)
    await withEmojiPicture(ctx, bytes, (picture) =>
      ctx.transact((tx) => {
        if (isReplaced) return replacePicture(tx, known.id, { ...picture, source_hash })
        assertFree(tx, name)
        if (known) {
          tx.run(tx.q.updateTable('realm_emoji').set({ source_file: null }).where('id', '=', known.id))
        }
        addEmoji(tx, { ...picture, name, author_id: null, source_file: file, source_hash })
      }),
    )
  }
}

/** A name that was taken may be free by now. */
const isConflict = (reason: string): boolean => reason.includes('already exists')

function knownOf(server: Server, realm: Realm, file: string): RealmEmoji | undefined {
  const { db } = new RealmContext(server, realm)
  return db.first(
    db.q.selectFrom('realm_emoji').selectAll().where('source_file', '=', file).orderBy('id', 'desc').limit(1),
  )
}

/** Files of the folder and of those right in it; null without the folder. */
async function list(folder: string): Promise<string[] | null> {
  const found: string[] = []
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      if (entry.isFile()) found.push(entry.name)
      if (!entry.isDirectory()) continue
      for (const inner of await readdir(join(folder, entry.name), { withFileTypes: true })) {
        if (inner.isFile() && !inner.name.startsWith('.')) found.push(`${entry.name}/${inner.name}`)
      }
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
  return found.toSorted()
}
