import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resolveDataDir } from '../config.ts'
import { DataFolderInUseError, openDataFolder, readLock } from '../db/data-folder.ts'
import { UnusableBackupError } from '../features/backups/errors.ts'
import { finishRestore, stageRestore, verifyBackup } from '../features/backups/restore-folder.ts'
import { parseCommand, print } from './client.ts'
import { ExitError, UsageError } from './exit.ts'

/** `parley restore FILE`: what was in the data folder is kept beside it. */
export async function runRestore(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, {})
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new UsageError('Name one backup.')
  const file = resolve(name)
  const dir = flags['data-dir']
  const dataDir = resolveDataDir(typeof dir === 'string' ? { dataDir: dir } : {})
  if (!existsSync(file)) throw new ExitError(1, `There is no file ${file}.`)
  const isFolder = statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()
  const holder = isFolder ? readLock(dataDir) : null
  if (holder) throw inUse(new DataFolderInUseError(dataDir, holder))

  // All of it, before anything of the folder is touched or even made.
  await refusing(file, () => verifyBackup(file))
  const folder = await openDataFolder(dataDir).catch((error: unknown) => {
    throw error instanceof DataFolderInUseError ? inUse(error) : error
  })
  try {
    await finishRestore(dataDir) // an earlier one that was cut short
    await refusing(file, () => stageRestore(file, dataDir, { now: Math.floor(Date.now() / 1000) }))
    const outcome = await finishRestore(dataDir)
    if (!outcome?.ok)
      throw new ExitError(1, `${file} was not restored: ${outcome?.error ?? 'no reason given'}`)
    const aside = outcome.aside === null ? null : join(dataDir, outcome.aside)
    const kept = aside === null ? '' : `\nWhat was there before is in ${aside}.`
    print(flags, { data_dir: dataDir, aside }, `${dataDir} holds what was saved in ${file}.${kept}`)
  } finally {
    folder.release()
  }
}

async function refusing(file: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof UnusableBackupError) throw new ExitError(1, `${file} was refused. ${error.message}`)
    throw error
  }
}

const inUse = ({ message }: DataFolderInUseError): ExitError =>
  new ExitError(3, `${message}. Stop it first, or restore from its admin page.`)
