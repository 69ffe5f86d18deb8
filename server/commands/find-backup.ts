/** What can be put in the place of a database that is damaged. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openArchive, readDatabaseHeader } from '../features/backups/read-archive.ts'

interface FoundBackup {
  file: string
  /** When the file was written, in milliseconds. */
  at: number
}

/** The newest file that is a backup by its beginning and its end; to read all of it takes long, and `restore` does. */
export async function newestBackup(folder: string): Promise<FoundBackup | null> {
  const candidates: FoundBackup[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    const found = isBackupName(name) ? await stat(file).catch(() => null) : null
    if (found?.isFile()) candidates.push({ file, at: found.mtimeMs })
  }
  candidates.sort((a, b) => b.at - a.at)
  for (const candidate of candidates) {
    if (await looksWhole(candidate.file)) return candidate
  }
  return null
}

/** Those of the backup feature, and the copies of the database that migrations leave. */
const isBackupName = (name: string): boolean => /\.parley-backup$|^before-migration-.*\.db$/.test(name)

async function looksWhole(file: string): Promise<boolean> {
  try {
    if (file.endsWith('.db')) await readDatabaseHeader(file)
    else await (await openArchive(file)).close()
    return true
  } catch {
    return false
  }
}

/** How to go on from a database that is damaged, for the one who runs the server. */
export async function adviseAfterDamage(dataDir: string): Promise<string> {
  const backup = await newestBackup(join(dataDir, 'backups'))
  const where = `--data-dir ${quote(dataDir)}`
  if (!backup) {
    return `Nothing was changed. There is no good backup in the folder; one from elsewhere is restored with\n  parley restore FILE ${where}`
  }
  const at = new Date(backup.at).toISOString().slice(0, 16).replace('T', ' ')
  return `Nothing was changed. The newest good backup is of ${at} UTC. This restores it, and keeps what is there now:\n  parley restore ${quote(backup.file)} ${where}`
}

const quote = (path: string): string => (/^[\w./:\\-]+$/.test(path) ? path : JSON.stringify(path))
