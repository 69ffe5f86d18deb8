import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCommand, print, withAdmin } from './client.ts'
import { ExitError, UsageError } from './exit.ts'

/** `parley backup FILE`: one file with everything, also while a server runs. */
export async function runBackup(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, {})
  const [name, ...more] = names
  if (name === undefined || more.length > 0) throw new UsageError('Name one file to write.')
  const file = resolve(name)
  if (existsSync(file)) throw new ExitError(1, `${file} exists already.`)
  await withAdmin(flags, async (admin) => {
    const { job_id } = await admin.post('/backups', { path: file })
    for (;;) {
      const { state, error } = await admin.get(`/backup_jobs/${String(job_id)}`)
      if (state === 'failed') throw new ExitError(1, String(error))
      if (state === 'done') return
      await sleep(100)
    }
  })
  const bytes = statSync(file).size
  print(flags, { file, bytes }, `Everything is in ${file}.`)
}
