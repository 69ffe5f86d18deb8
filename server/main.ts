/** What `parley` runs, on the command line and inside the desktop app. */
import { dirname } from 'node:path'
import { runBackup } from './commands/backup.ts'
import { runCheck } from './commands/check.ts'
import { ExitError, usage, UsageError } from './commands/exit.ts'
import { adviseAfterDamage } from './commands/find-backup.ts'
import { runRealm } from './commands/realm.ts'
import { runRestore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { runUser } from './commands/user.ts'
import { ConfigError } from './config.ts'
import { DataFolderError, DataFolderInUseError } from './db/data-folder.ts'
import { DamagedDatabaseError } from './db/database.ts'
import { NewerSchemaError } from './db/migrate.ts'
import { tellDesktop } from './commands/desktop.ts'
import { VERSION } from './version.ts'

const commands: Record<string, (words: string[]) => Promise<void>> = {
  serve,
  realm: runRealm,
  user: runUser,
  backup: runBackup,
  restore: runRestore,
  check: runCheck,
}

async function main([name = '', ...words]: string[]): Promise<void> {
  if (name === '--version') return void process.stdout.write(`${VERSION}\n`)
  if (name === '--help' || name === 'help') return void process.stdout.write(usage)
  const command = commands[name]
  if (!command) throw new UsageError(name === '' ? 'Say what to do.' : `There is no command '${name}'.`)
  await command(words)
}

/** Exit codes are fixed: 1 refused, 2 wrong usage, 3 folder in use, 4 folder that cannot be used. */
async function explain(error: unknown): Promise<[code: number, message: string]> {
  if (error instanceof UsageError) return [2, `${error.message}\n\n${usage}`]
  if (error instanceof ConfigError) return [2, error.message]
  if (error instanceof ExitError) return [error.code, error.message]
  if (error instanceof DataFolderInUseError) {
    const where = error.holder.url ? ` It answers at ${error.holder.url}.` : ''
    return [3, `${error.message}.${where}`]
  }
  if (error instanceof DamagedDatabaseError) {
    return [4, `${error.message}\n${await adviseAfterDamage(dirname(error.file))}`]
  }
  if (error instanceof NewerSchemaError || error instanceof DataFolderError) return [4, error.message]
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
    return [1, `${error.message}. Another program may use the port: choose another with --port.`]
  }
  return [1, error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

main(process.argv.slice(2)).catch(async (error: unknown) => {
  const [code, message] = await explain(error)
  const lastWords = `parley: ${message.trimEnd()}`
  process.stderr.write(`${lastWords}\n`)
  await tellDesktop(lastWords)
  process.exit(code)
})
