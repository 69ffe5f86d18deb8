import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { createServer } from '../server.ts'
import { VERSION } from '../version.ts'
import { onDesktopStop } from './desktop.ts'
import { UsageError } from './exit.ts'

/** Runs the server until it is told to stop. */
export async function serve(words: string[]): Promise<void> {
  const flags = parseFlags(words)
  const config = loadConfig(flags)
  let running = await createServer(config, { flags })

  let stop = (): void => {}
  const stopWanted = new Promise<void>((resolve) => {
    stop = resolve
  })
  // The log says what ended the server; whoever started it starts it again.
  process.on('uncaughtException', (error) => {
    running.server.log.fatal({ err: error }, 'unexpected error')
    process.exit(1)
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  onDesktopStop(stop)

  // Only now: whoever reads it may stop the server at once.
  const { url, adminUrl, demoPasswords } = running
  const ready = { url, adminUrl, dataDir: config.dataDir, pid: process.pid, version: VERSION }
  // Without --dev nothing else lets anybody into the demo realm; it is said this once.
  const more = demoPasswords && !config.dev ? { demoPasswords } : {}
  process.stdout.write(`parley ready ${JSON.stringify({ ...ready, ...more })}\n`)

  for (;;) {
    const why = await Promise.race([
      stopWanted.then(() => 'stop' as const),
      running.restartWanted.then(() => 'restart' as const),
    ])
    try {
      await running.close()
    } catch (error) {
      running.server.log.fatal({ err: error }, 'could not stop cleanly')
      process.exit(1)
    }
    if (why === 'stop') process.exit(0)
    // At the same address: whoever asked for it waits there. Restored settings count from the next start on.
    const port = Number(new URL(url).port)
    running = await createServer({ ...config, port, demo: false }, { flags: { ...flags, port, demo: false } })
  }
}

function parseFlags(words: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        'data-dir': text,
        host: text,
        port: text,
        dev: flag,
        demo: flag,
        'queue-idle-seconds': text,
        'heartbeat-seconds': text,
        log: text,
        'admin-from-other-machines': flag,
        'backup-daily': text,
        'backup-weekly': text,
      },
    })
    const named = Object.entries(values).map(([name, value]) => [camelCase(name), value])
    return Object.fromEntries(named) as Record<string, string | boolean>
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const camelCase = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
