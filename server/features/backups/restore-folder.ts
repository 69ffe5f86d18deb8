/**
 * Puts the contents of a backup in the place of a data folder's own. First everything is unpacked beside them and on
 * disk, then a plan is written, and from there on it is renames only. Whoever opens the folder next finishes a plan
 * that was cut short: at each moment the folder holds the old state or the new one, or the plan that leads to it.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { openDatabase } from '../../db/database.ts'
import { errorCode } from '../../db/disk-files.ts'
import { nodeFiles } from '../../db/file-calls.ts'
import { migrations } from '../../db/migrations/index.ts'
import { VERSION } from '../../version.ts'
import { UnusableBackupError } from './errors.ts'
import { CONFIG_NAME, DATABASE_NAME, FILE_FOLDERS } from './manifest.ts'
import { openArchive, readDatabaseHeader, writeFile } from './read-archive.ts'
import { filesBelow } from './stored-files.ts'
import { refuseFullDisk, type WorkOptions } from './write-archive.ts'

const PLAN_NAME = 'restore-pending.json'
const STAGING = /^\.restore-[0-9a-f]+$/
/** What is replaced as a whole. Log and notes belong to the database that they were written for. */
const REPLACED = [
  DATABASE_NAME,
  `${DATABASE_NAME}-wal`,
  `${DATABASE_NAME}-journal`,
  `${DATABASE_NAME}-clean`,
  CONFIG_NAME,
  ...FILE_FOLDERS,
]

const Plan = z.object({
  /** Names within the data folder. */
  staging: z.string().regex(STAGING),
  aside: z.string().regex(/^before-restore-[0-9-]+$/),
  /** Name of the backup, for people. */
  source: z.string(),
  /** UNIX seconds. */
  created_at: z.int().nullable(),
  /** Replaces the token of the restored database, so that whoever restores stays signed in. */
  admin_token: z.string().nullable(),
  /** Whether all the old contents are aside and the new ones on their way in. */
  moving_in: z.boolean(),
})
type Plan = z.output<typeof Plan>

export interface RestoreOutcome {
  ok: boolean
  /** Name of the backup. */
  source: string
  /** When it was made, in UNIX seconds, where it tells. */
  created_at: number | null
  /** Name of the folder within the data folder that keeps what was there before. */
  aside: string | null
  /** Why everything is as it was. */
  error?: string
}

export interface StageOptions extends WorkOptions {
  now: number
  adminToken?: string
  onStep?: OnStep
}

/** Called before each change of the data folder: a test that never returns from it is a crash. */
type OnStep = (name: string) => Promise<void>

const noStep: OnStep = async () => {}

/**
 * Unpacks a backup beside the contents of a data folder, and leaves the plan to put it in their place.
 * @throws UnusableBackupError when it is not one, or not whole; the folder is as it was then
 */
export async function stageRestore(source: string, dataDir: string, options: StageOptions): Promise<void> {
  const step = options.onStep ?? noStep
  const staging = `.restore-${randomBytes(6).toString('hex')}`
  const folder = join(dataDir, staging)
  try {
    await step('unpack')
    await mkdir(folder, { mode: 0o700 })
    const created_at = await unpackInto(source, dataDir, join(folder, 'new'), options)
    await syncFolders(folder)
    const plan: Plan = {
      staging,
      aside: await freeName(dataDir, options.now),
      source: basename(source),
      created_at,
      admin_token: options.adminToken ?? null,
      moving_in: false,
    }
    await step('plan')
    await writePlan(dataDir, plan)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** @returns when the backup was made, where it tells */
async function unpackInto(
  source: string,
  dataDir: string,
  into: string,
  options: StageOptions,
): Promise<number | null> {
  await mkdir(into, { mode: 0o700 })
  if (source.endsWith('.db')) {
    await takeDatabase(source, dataDir, into, options)
    return null
  }
  const archive = await openArchive(source)
  try {
    await refuseFullDisk(dataDir, archive.bytes)
    await archive.unpack(into, options)
    const { schemaVersion } = await readDatabaseHeader(join(into, DATABASE_NAME))
    if (schemaVersion !== archive.manifest.schema_version) {
      throw new UnusableBackupError('Its database has another schema than its manifest says.')
    }
    return archive.manifest.created_at
  } finally {
    await archive.close()
  }
}

/** A copy of the database alone. The files stay what they are, for the old state and for the new. */
async function takeDatabase(source: string, dataDir: string, into: string, options: StageOptions) {
  const bytes = await assertDatabaseCopy(source)
  await refuseFullDisk(dataDir, bytes)
  let done = 0
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(source, { highWaterMark: 256 << 10 })) {
      options.signal?.throwIfAborted()
      yield chunk as Buffer
      done += (chunk as Buffer).length
      options.onProgress?.(done, bytes)
    }
  }
  await writeFile(join(into, DATABASE_NAME), chunks())
  for (const name of FILE_FOLDERS) {
    for await (const file of filesBelow(join(dataDir, name))) {
      await linkOrCopy(join(dataDir, name, file), join(into, name, file))
    }
  }
  await linkOrCopy(join(dataDir, CONFIG_NAME), join(into, CONFIG_NAME))
}

/** @returns its size @throws UnusableBackupError for anything but a copy of a database that this program knows */
async function assertDatabaseCopy(file: string): Promise<number> {
  const { schemaVersion, bytes } = await readDatabaseHeader(file)
  if (schemaVersion > migrations.length) {
    throw new UnusableBackupError(
      `It has schema ${schemaVersion}, but Parley ${VERSION} knows none after ${migrations.length}: take a newer Parley.`,
    )
  }
  const log = await stat(`${file}-wal`).catch(() => null)
  if (log && log.size > 0) {
    throw new UnusableBackupError(`It is a database in use: its newest changes are in ${basename(file)}-wal.`)
  }
  return bytes
}

/** Checks a backup from its first byte to its last and changes nothing. @throws UnusableBackupError */
export async function verifyBackup(file: string, options: WorkOptions = {}): Promise<void> {
  if (file.endsWith('.db')) {
    await assertDatabaseCopy(file)
    return
  }
  const archive = await openArchive(file)
  try {
    await archive.verify(options)
  } finally {
    await archive.close()
  }
}

/**
 * Carries out the plan of a data folder, if there is one, or takes it back when the new database is not sound. The
 * folder's lock must be held, and its database not be open.
 */
export async function finishRestore(
  dataDir: string,
  onStep: OnStep = noStep,
): Promise<RestoreOutcome | null> {
  const plan = await readPlan(dataDir)
  const outcome = plan && (await carryOut(dataDir, plan, onStep))
  // Also those of a process that died while it was unpacking.
  for (const name of await readdir(dataDir)) {
    if (STAGING.test(name)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  return outcome
}

async function carryOut(dataDir: string, plan: Plan, step: OnStep): Promise<RestoreOutcome> {
  const { source, created_at } = plan
  const staged = join(dataDir, plan.staging, 'new')
  const aside = join(dataDir, plan.aside)
  if (!(await exists(aside))) {
    const error = await problemOf(join(staged, DATABASE_NAME), plan.admin_token)
    if (error) {
      await removePlan(dataDir)
      return { ok: false, source, created_at, aside: null, error }
    }
    await step('aside')
    await mkdir(aside, { mode: 0o700 })
    nodeFiles.syncFolder(dataDir)
  }
  if (!plan.moving_in) {
    for (const name of REPLACED) await move(join(dataDir, name), join(aside, name), step)
    nodeFiles.syncFolder(aside)
    nodeFiles.syncFolder(dataDir)
    await step('moving in')
    await writePlan(dataDir, { ...plan, moving_in: true })
  }
  for (const name of REPLACED) await move(join(staged, name), join(dataDir, name), step)
  nodeFiles.syncFolder(dataDir)
  await step('done')
  await removePlan(dataDir)
  const wasEmpty = await rmdir(aside).then(
    () => true,
    () => false,
  )
  return { ok: true, source, created_at, aside: wasEmpty ? null : plan.aside }
}

/** Opens the new database as the server would, which refuses a damaged one. */
async function problemOf(file: string, adminToken: string | null): Promise<string | null> {
  try {
    const database = await openDatabase(file)
    try {
      const tables = database.all("SELECT 1 FROM sqlite_schema WHERE name IN ('realms', 'server_settings')")
      if (tables.length !== 2) return 'This is not a database of Parley.'
      if (adminToken === null) return null
      database.run("INSERT OR REPLACE INTO server_settings (key, value) VALUES ('admin_token', ?)", [
        adminToken,
      ])
      await database.close()
      return null
    } finally {
      database.abandon()
    }
  } catch (error) {
    return `Its database cannot be opened: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function readPlan(dataDir: string): Promise<Plan | null> {
  try {
    return Plan.parse(JSON.parse(await readFile(join(dataDir, PLAN_NAME), 'utf8')))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function writePlan(dataDir: string, plan: Plan): Promise<void> {
  const file = join(dataDir, PLAN_NAME)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify(plan))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
  nodeFiles.syncFolder(dataDir)
}

async function removePlan(dataDir: string): Promise<void> {
  await rm(join(dataDir, PLAN_NAME), { force: true })
  nodeFiles.syncFolder(dataDir)
}

/** Moves what is there; what is not there was moved before, or never was. */
async function move(from: string, to: string, step: OnStep): Promise<void> {
  if (!(await exists(from))) return
  await step(`${basename(dirname(to))}/${basename(to)}`)
  await rename(from, to)
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await link(from, to)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    await writeFile(to, createReadStream(from)) // a file system without hard links
  }
}

async function freeName(dataDir: string, now: number): Promise<string> {
  const name = `before-restore-${timestamp(now)}`
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}-${count}`
    if (!(await exists(join(dataDir, candidate)))) return candidate
  }
}

/** `2026-11-05-143012` of UNIX seconds, as the clock on the wall shows it. */
export function timestamp(now: number): string {
  const date = new Date(now * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  }
  nodeFiles.syncFolder(folder)
}

const exists = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )
