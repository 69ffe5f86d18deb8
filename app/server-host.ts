// Runs dist/server/main.js as a utility process: neither it nor the window can stop the other.
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { utilityProcess } from 'electron'
import type { ServerProcess, ServerProcessEvents } from './supervisor.ts'

const logSizeKept = 5_000_000

export type ServerHost = { launch(events: ServerProcessEvents, lastUrl: string | undefined): ServerProcess }

export function createServerHost(serverArguments: string[], logDir: string): ServerHost {
  const log = openLog(logDir)
  return {
    launch(events, lastUrl) {
      const entry = join(import.meta.dirname, '..', 'server', 'main.js')
      const child = utilityProcess.fork(entry, ['serve', ...keepPort(serverArguments, lastUrl)], {
        serviceName: 'parley-server',
        stdio: 'pipe',
      })
      if (child.stdout) createInterface(child.stdout).on('line', events.stdoutLine)
      if (child.stderr) {
        createInterface(child.stderr).on('line', (line) => {
          log.write(`${line}\n`)
          events.stderrLine(line)
        })
      }
      child.on('message', (message: { lastWords: string }) => {
        events.lastWords(message.lastWords)
        child.postMessage('heard')
      })
      // Of a crash, the pipes may still hold what says why.
      child.once('exit', (code) => setTimeout(() => events.exit(code), 50))
      return {
        requestStop: () => child.postMessage('stop'),
        // kill() asks with SIGTERM, which a hung server does not hear.
        kill: () => killHard(child.pid),
      }
    },
  }
}

/** A port that the system chose once is kept, so that clients find the server where it was. */
function keepPort(serverArguments: string[], lastUrl: string | undefined): string[] {
  if (!lastUrl) return serverArguments
  return serverArguments.map((argument) =>
    argument === '--port=0' ? `--port=${new URL(lastUrl).port}` : argument,
  )
}

function killHard(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** One file and its predecessor, so that a server which fails for weeks cannot fill the disk. */
function openLog(dir: string) {
  mkdirSync(dir, { recursive: true })
  const file = join(dir, 'server.log')
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logSizeKept) renameSync(file, `${file}.1`)
  const log = createWriteStream(file, { flags: 'a' })
  // A full disk must not end the app that could say so.
  log.on('error', (error) => console.error(`parley: cannot write ${file}: ${error.message}`))
  return log
}
