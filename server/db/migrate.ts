// The schema's history: each migration runs once, in order, and wholly or not at all.
import { constants, copyFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from './database.ts'
import { nodeFiles } from './file-calls.ts'

export interface Migration {
  /** Counted from 1 without a gap. */
  id: number
  name: string
  up(db: Database): void
}

export interface MigrateOptions {
  /** The database file; copies of it go to `backups/` beside it. */
  file: string
  /** This program's version, for the message that another one is needed. */
  version: string
}

/** The database was written by a newer program. Nothing in it has been changed. */
export class NewerSchemaError extends Error {
  readonly found: number
  readonly known: number

  constructor(found: number, known: number, version: string) {
    super(
      `The database has schema ${found}, but Parley ${version} knows no schema after ${known}: ` +
        'start the newer Parley that wrote it, or restore a backup from before.',
    )
    this.found = found
    this.known = known
  }
}

/** Brings the schema up to date. Answers the ids that were applied now. */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  { file, version }: MigrateOptions,
): Promise<number[]> {
  migrations.forEach(({ id, name }, index) => {
    if (id !== index + 1) throw new TypeError(`Migration ${name} has id ${id} where ${index + 1} is due`)
  })
  const from = db.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  if (from > migrations.length) throw new NewerSchemaError(from, migrations.length, version)

  const pending = migrations.slice(from)
  if (pending.length === 0) return []
  if (!isEmpty(db)) await keepCopy(db, file, `before-migration-${from}-to-${migrations.length}.db`)

  // Rebuilding a table drops the one that others refer to. SQLite ignores this pragma inside a transaction.
  db.exec('PRAGMA foreign_keys = OFF')
  try {
    for (const migration of pending) apply(db, migration)
  } finally {
    db.exec('PRAGMA foreign_keys = ON')
  }
  await db.durable()
  return pending.map(({ id }) => id)
}

function apply(db: Database, { id, name, up }: Migration): void {
  db.transact(() => {
    up(db)
    const [orphan] = db.all<{ table: string; parent: string }>('PRAGMA foreign_key_check')
    if (orphan) {
      throw new Error(
        `Migration ${id} (${name}) leaves rows in ${orphan.table} without their ${orphan.parent}`,
      )
    }
    db.exec(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at INTEGER NOT NULL
      );
      PRAGMA user_version = ${id}`)
    const appliedAt = Math.floor(Date.now() / 1000)
    db.run('INSERT INTO schema_migrations (id, name, applied_at) VALUES (?, ?, ?)', [id, name, appliedAt])
  })
}

function isEmpty(db: Database): boolean {
  return !db.first('SELECT 1 FROM sqlite_schema LIMIT 1')
}

/** With the log emptied the file alone is the whole database, and nobody else writes to it meanwhile. */
async function keepCopy(db: Database, file: string, name: string): Promise<void> {
  const folder = path.join(path.dirname(file), 'backups')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const copy = path.join(folder, name)
  db.checkpoint()
  // In one synchronous step, and as a clone where the file system can make one.
  copyFileSync(file, `${copy}.partial`, constants.COPYFILE_FICLONE)
  const handle = await open(`${copy}.partial`, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${copy}.partial`, copy)
  nodeFiles.syncFolder(folder)
}
