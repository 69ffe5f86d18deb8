import { parseCommand, print, withAdmin } from './client.ts'
import { UsageError } from './exit.ts'

/** `parley check`: exits 1 when something is wrong. */
export async function runCheck(words: string[]): Promise<void> {
  const { flags, names } = parseCommand(words, {})
  if (names.length > 0) throw new UsageError('parley check takes no names.')
  const { healthy, problems } = await withAdmin(flags, (admin) => admin.get('/check'))
  const text = healthy
    ? 'The database is sound and every uploaded file is there.'
    : (problems as string[]).join('\n')
  print(flags, { healthy, problems }, text)
  if (!healthy) process.exitCode = 1
}
