/** The files under `uploads/`: which ones the database refers to, what is wrong with them, and which are left over. */
import { constants, unlinkSync } from 'node:fs'
import { access, opendir, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { errorCode } from '../../db/disk-files.ts'

export interface StoredFile {
  /** Below the data folder, with forward slashes. */
  name: string
  /** In bytes, where the database knows. */
  size: number | null
}

/** Rows up to these were there at one moment. */
export interface RowLimits {
  attachments: number
  emoji: number
}

/** Folders below `uploads/` whose files are made again when they are needed, or are not finished. */
export const isPassing = (name: string): boolean => /^(thumbnail|incoming)\//.test(name)

const pageSize = 500

export function currentLimits(database: Database): RowLimits {
  const last = (table: string): number =>
    database.first<{ id: number }>(`SELECT coalesce(max(id), 0) AS id FROM ${table}`)?.id ?? 0
  return { attachments: last('attachments'), emoji: last('realm_emoji') }
}

/** Every file that a row refers to, a page of rows at a time: other work goes on in between. */
export async function* referencedFiles(
  database: Database,
  limits: RowLimits = { attachments: Number.MAX_SAFE_INTEGER, emoji: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<StoredFile> {
  yield* pages(database, 'SELECT id, path_id, size FROM attachments', limits.attachments, (row) => ({
    name: `uploads/${String(row['path_id'])}`,
    size: Number(row['size']),
  }))
  const picture = (
    row: Record<string, unknown>,
    column: string,
    folder: string,
    ending = '',
  ): StoredFile => ({
    name: `uploads/${String(row['realm_id'])}/${folder}/${String(row[column])}${ending}`,
    size: null,
  })
  const emoji = 'SELECT id, realm_id, file_name, still_file FROM realm_emoji'
  yield* pages(database, emoji, limits.emoji, (row) => picture(row, 'file_name', 'emoji'))
  const still = 'SELECT * FROM realm_emoji WHERE still_file IS NOT NULL'
  yield* pages(database, `SELECT * FROM (${still})`, limits.emoji, (row) =>
    picture(row, 'still_file', 'emoji'),
  )
  const avatars = 'SELECT * FROM (SELECT id, realm_id, avatar_file FROM users WHERE avatar_file IS NOT NULL)'
  for (const ending of ['.png', '-medium.png']) {
    yield* pages(database, avatars, Number.MAX_SAFE_INTEGER, (row) =>
      picture(row, 'avatar_file', 'avatars', ending),
    )
  }
  const own = 'SELECT * FROM (SELECT id, realm_id, file_name FROM realm_pictures WHERE file_name IS NOT NULL)'
  yield* pages(database, own, Number.MAX_SAFE_INTEGER, (row) => picture(row, 'file_name', 'realm'))
}

async function* pages(
  database: Database,
  select: string,
  limit: number,
  toFile: (row: Record<string, unknown>) => StoredFile,
): AsyncGenerator<StoredFile> {
  let last = 0
  for (;;) {
    const rows = database.all<{ id: number }>(
      `${select} WHERE id > ? AND id <= ? ORDER BY id LIMIT ${pageSize}`,
      [last, limit],
    )
    yield* rows.map((row) => toFile(row as unknown as Record<string, unknown>))
    const next = rows.at(-1)?.id
    if (next === undefined) return
    last = next
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** What is wrong with the files, a line each. */
export async function fileProblems(database: Database, dataDir: string): Promise<string[]> {
  const problems: string[] = []
  for await (const { name, size } of referencedFiles(database)) {
    const file = join(dataDir, name)
    const found = await stat(file).catch(() => null)
    if (!found?.isFile()) problems.push(`${file} is missing`)
    else if (size !== null && found.size !== size) {
      problems.push(`${file} has ${found.size} bytes instead of ${size}`)
    } else if (!(await isReadable(file))) problems.push(`${file} cannot be read`)
  }
  return problems
}

const isReadable = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  )

/** Files of a folder and those below it, by their names within it. A folder that is not there holds none. */
export async function* filesBelow(folder: string, prefix = ''): AsyncGenerator<string> {
  let entries
  try {
    entries = await opendir(join(folder, prefix))
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return
    throw error
  }
  for await (const entry of entries) {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(folder, name)
    else if (entry.isFile()) yield name
  }
}

/** A file that is still being written, or never was finished. */
export const isTemporary = (name: string): boolean => /\.(new|partial|tmp)$/.test(name)

/**
 * Removes files that nothing refers to. Only shapes that are known here are touched: `1/ab/cdef/plan.pdf` of an
 * attachment, `1/emoji/boat.png`, pictures of people and organizations, thumbnails, and temporary names.
 * @param mayRemove asked before each removal, in the same step
 * @returns the names of those removed
 */
export async function sweepFiles(
  database: Database,
  uploads: string,
  olderThanMs: number,
  mayRemove: () => boolean = () => true,
): Promise<string[]> {
  const removed: string[] = []
  for await (const name of filesBelow(uploads)) {
    const file = join(uploads, name)
    const found = await stat(file).catch(() => null)
    if (!found || found.mtimeMs > olderThanMs) continue
    if (!isLeftOver(database, name)) continue
    // The removal of the row that referred to it must not be undone by a power cut.
    await database.durable()
    // In one step, so that nothing begins to refer to it in between.
    if (!mayRemove()) return removed
    if (!isLeftOver(database, name)) continue
    unlinkSync(file)
    removed.push(name)
    // An attachment has a folder of its own, and so have its thumbnails; one that still holds something stays.
    const isThumbnail = name.startsWith('thumbnail/')
    const own = isThumbnail ? ['..', '../..'] : name.split('/').length === 4 ? ['..'] : []
    for (const up of own) await rmdir(join(file, up)).catch(() => {})
  }
  return removed
}

function isLeftOver(database: Database, name: string): boolean {
  const isKnown = (sql: string, ...values: (string | number)[]): boolean =>
    database.first(sql, values) !== undefined
  const isAttachment = (pathId: string): boolean =>
    isKnown('SELECT 1 FROM attachments WHERE path_id = ?', pathId)
  if (isAttachment(name)) return false
  const thumbnailOf = /^thumbnail\/(\d+\/[^/]+\/[^/]+\/[^/]+)\/[^/]+$/.exec(name)?.[1]
  if (thumbnailOf !== undefined) return isTemporary(name) || !isAttachment(thumbnailOf)
  const [, realm = '', folder, file = ''] = /^(\d+)\/(emoji|avatars|realm)\/([^/]+)$/.exec(name) ?? []
  if (folder === 'emoji') {
    const sql = 'SELECT 1 FROM realm_emoji WHERE realm_id = ? AND ? IN (file_name, still_file)'
    return !isKnown(sql, Number(realm), file)
  }
  const picture = /^([0-9a-f]{24})(-medium)?\.png$/.exec(file)?.[1]
  if (folder === 'avatars' && picture !== undefined) {
    return !isKnown('SELECT 1 FROM users WHERE realm_id = ? AND avatar_file = ?', Number(realm), picture)
  }
  if (folder === 'realm' && picture !== undefined) {
    return !isKnown('SELECT 1 FROM realm_pictures WHERE realm_id = ? AND file_name = ?', Number(realm), file)
  }
  return isTemporary(name) || /^\d+\/[0-9a-z]{2}\/[^/]+\/[^/]+$/i.test(name)
}
