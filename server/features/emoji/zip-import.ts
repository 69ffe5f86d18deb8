/** Emoji from a zip archive: what is in it is shown first, then taken in as the administrator chooses. */
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { RealmContext, Server } from '../../context.ts'
import type { Reader } from '../../db/transaction.ts'
import { BadRequestError, NotFoundError } from '../../http/errors.ts'
import { incomingFolder, MIB, tooLarge } from '../../http/multipart.ts'
import { emojiPicture } from '../../services/images.ts'
import { type Entry, openZip, type ZipReader } from '../backups/zip-reader.ts'
import { type EmojiChange, placePicture, removePicture, takeInEmoji } from './actions.ts'
import { isBuiltIn, parseEmojiName } from './names.ts'
import { emojiByName } from './store.ts'

/** Bounds of one archive, counted on what comes out of it: what it says of itself may be a lie. */
export const zipLimits = { entries: 1000, totalBytes: 200 * MIB }
/** How long an archive waits for the choice. */
const KEPT_MS = 60 * 60_000

export interface FoundEmoji {
  /** In the archive. */
  file: string
  /** The name that it gets; null where it cannot be one. */
  name: string | null
  /** `conflict`: the organization has one of that name. */
  state: 'new' | 'conflict' | 'invalid'
  /** Why it is invalid, or what is to be known of it. */
  reason: string | null
}

export type Choice = 'skip' | 'replace'

export interface ImportOutcome {
  added: string[]
  replaced: string[]
  skipped: string[]
  failed: { name: string; reason: string }[]
}

/** The archives that wait. One that is never chosen from goes with the daily sweep, as all files that were cut short. */
export class ZipImports {
  readonly #waiting = new Map<string, { realmId: number; file: string; until: number }>()

  constructor(private readonly server: () => Server) {}

  /** Keeps an archive that was sent, and says what is in it. @throws BadRequestError */
  async open(ctx: RealmContext, upload: string): Promise<{ import_id: string; emoji: FoundEmoji[] }> {
    const emoji = await look(ctx, upload)
    const import_id = randomBytes(12).toString('hex')
    const file = join(incomingFolder(this.server()), `${import_id}.zip.partial`)
    await rename(upload, file)
    const now = this.server().now()
    for (const [id, { until }] of this.#waiting) if (until < now) await this.#forget(id)
    this.#waiting.set(import_id, { realmId: ctx.realm.id, file, until: now + KEPT_MS })
    return { import_id, emoji }
  }

  /** Takes in the new ones, and of the others those that are to be replaced. The archive is gone then. */
  async confirm(ctx: RealmContext, id: string, choices: ReadonlyMap<string, Choice>): Promise<ImportOutcome> {
    const waiting = this.#find(ctx, id)
    // Nobody else takes it in meanwhile.
    this.#waiting.delete(id)
    try {
      return await takeIn(ctx, waiting.file, choices)
    } finally {
      await rm(waiting.file, { force: true })
    }
  }

  async cancel(ctx: RealmContext, id: string): Promise<void> {
    this.#find(ctx, id)
    await this.#forget(id)
  }

  #find(ctx: RealmContext, id: string): { file: string } {
    const waiting = this.#waiting.get(id)
    if (waiting?.realmId !== ctx.realm.id)
      throw new NotFoundError('The archive is gone. Please send it again.')
    return waiting
  }

  async #forget(id: string): Promise<void> {
    const file = this.#waiting.get(id)?.file
    this.#waiting.delete(id)
    if (file !== undefined) await rm(file, { force: true })
  }
}

/** @throws BadRequestError for what is no archive, or holds too much */
async function look(ctx: RealmContext, file: string): Promise<FoundEmoji[]> {
  const found: FoundEmoji[] = []
  for await (const { name, bytes, reason, ...entry } of picturesIn(ctx, file)) {
    let problem = reason
    if (bytes) problem = await emojiPicture(bytes).then(() => null, reasonOf)
    if (problem !== null || name === null) found.push({ ...entry, name, state: 'invalid', reason: problem })
    else if (emojiByName(ctx.db, name)) found.push({ ...entry, name, state: 'conflict', reason: null })
    else found.push({ ...entry, name, state: 'new', reason: noteOn(name) })
  }
  return found
}

const noteOn = (name: string): string | null =>
  isBuiltIn(name) ? 'It takes the place of an emoji that every organization has.' : null

async function takeIn(
  ctx: RealmContext,
  file: string,
  choices: ReadonlyMap<string, Choice>,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { added: [], replaced: [], skipped: [], failed: [] }
  const changes: EmojiChange[] = []
  const isSkipped = (db: Reader, name: string): boolean => {
    const choice = choices.get(name)
    return choice === 'skip' || (choice !== 'replace' && emojiByName(db, name) !== undefined)
  }
  try {
    for await (const { name, bytes } of picturesIn(ctx, file)) {
      if (name === null || !bytes) continue
      if (isSkipped(ctx.db, name)) {
        outcome.skipped.push(name)
        continue
      }
      try {
        changes.push({ name, picture: await placePicture(ctx, bytes) })
      } catch (error) {
        outcome.failed.push({ name, reason: reasonOf(error) })
      }
    }
    const { replaced } = ctx.transact((tx) => takeInEmoji(tx, changes))
    for (const { name } of changes) (replaced.has(name) ? outcome.replaced : outcome.added).push(name)
    return outcome
  } catch (error) {
    for (const { picture } of changes) await removePicture(ctx, picture)
    throw error
  }
}

/** Every file of an archive that could be an emoji, with its bytes or with what speaks against it. */
async function* picturesIn(
  ctx: RealmContext,
  file: string,
): AsyncGenerator<{ file: string; name: string | null; bytes: Buffer | null; reason: string | null }> {
  const zip = await openZip(file).catch(() => {
    throw new BadRequestError('This is no zip archive.')
  })
  try {
    const maxBytes = ctx.server.config.maxEmojiFileSizeMib * MIB
    const names = new Set<string>()
    let [entries, total] = [0, 0]
    for await (const entry of readable(zip.entries())) {
      entries += 1
      if (entries > zipLimits.entries) {
        throw new BadRequestError(`The archive holds more than ${zipLimits.entries} files.`)
      }
      const path = entry.fileName
      // What systems put in by themselves.
      if (path.endsWith('/') || path.startsWith('__MACOSX/') || basename(path).startsWith('.')) continue
      let name: string | null = null
      try {
        name = parseEmojiName(basename(path).replace(/\.[^.]+$/, ''))
        if (names.has(name)) throw new BadRequestError('The name is in the archive twice.')
        names.add(name)
        const bytes = await contents(zip, entry, Math.min(maxBytes, zipLimits.totalBytes - total))
        total += bytes.length
        yield { file: path, name, bytes, reason: null }
      } catch (error) {
        if (total + maxBytes > zipLimits.totalBytes && error instanceof TooLargeInZip) {
          throw new BadRequestError(`The archive holds more than ${zipLimits.totalBytes / MIB} MiB.`)
        }
        const reason = error instanceof TooLargeInZip ? tooLarge(maxBytes).message : reasonOf(error)
        yield { file: path, name, bytes: null, reason }
      }
    }
  } finally {
    await zip.close()
  }
}

class TooLargeInZip extends Error {}

async function contents(zip: ZipReader, entry: Entry, maxBytes: number): Promise<Buffer> {
  if (entry.generalPurposeBitFlag & 1) throw new BadRequestError('It is encrypted.')
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new BadRequestError('It is compressed in a way that cannot be read.')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of zip.read(entry)) {
    size += chunk.length
    if (size > maxBytes) throw new TooLargeInZip()
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** The directory of an archive may be broken anywhere. */
async function* readable(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  const iterator = entries[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch(() => {
      throw new BadRequestError('The archive is damaged.')
    })
    if (next.done) return
    yield next.value
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof BadRequestError ? error.message : 'It cannot be read: the archive is damaged there.'
