import type { ServerStatus } from './ipc.ts'

type Problem = NonNullable<ServerStatus['problem']>

/** Exits after which starting again would only meet the same obstacle. */
export const exitFolderInUse = 3
export const exitFolderUnusable = 4
const exitWrongUsage = 2

export function isFinal(code: number): boolean {
  return code === exitFolderInUse || code === exitFolderUnusable || code === exitWrongUsage
}

/** What happened, for the person in front of the window, from the exit code and the last lines of stderr. */
export function explainExit(code: number, stderr: string[]): Problem {
  const said = lastWords(stderr).replace(/^parley: /, '')
  if (said.includes('EADDRINUSE')) {
    return {
      title: 'Another program uses the port',
      detail: said,
      advice: 'Parley tries again by itself. Quit the other program, or start Parley with another --port.',
    }
  }
  switch (code) {
    case exitFolderInUse:
      return {
        title: 'Another Parley is using this data folder',
        detail: said || 'The data folder is locked by a server that is already running.',
        advice: 'Stop the other server, or open its page in a browser instead. Then try again.',
      }
    case exitFolderUnusable:
      return {
        title: 'The data folder cannot be used',
        detail: said || 'Its contents could not be opened. Nothing in it was changed.',
        advice: 'Once that is put right, try again.',
      }
    case exitWrongUsage:
      return { title: 'The server was started with options it does not know', detail: said }
    default:
      return {
        title: 'The server stopped unexpectedly',
        detail: said || `It ended with code ${code}.`,
      }
  }
}

/** Plain lines are meant for people; of the JSON log lines only the message of the last one is. */
function lastWords(stderr: string[]): string {
  // Of a crash, the line that names the error says more than the stack below it.
  const thrown = stderr.find((line) =>
    /^(parley: )?(Uncaught )?([A-Z]\w*(Error|Exception)|Error)\b.*: /.test(line),
  )
  if (thrown) return thrown
  const plain = stderr.filter((line) => line.trim() !== '' && !line.startsWith('{'))
  if (plain.length > 0) return plain.slice(-6).join('\n')
  for (const line of stderr.toReversed()) {
    const message = messageOf(line)
    if (message) return message
  }
  return ''
}

/** A log level of 50 is an error; what was merely noted before a crash explains nothing. */
function messageOf(line: string): string | undefined {
  try {
    const entry = JSON.parse(line) as { level?: number; msg?: unknown; err?: { message?: unknown } }
    if ((entry.level ?? 0) < 50) return undefined
    return [entry.msg, entry.err?.message].filter((part) => typeof part === 'string').join(': ')
  } catch {
    return undefined
  }
}
