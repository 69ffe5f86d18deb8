import { spawn } from 'node:child_process'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import type { Desktop, ServerStatus } from '../../app/ipc.ts'
import { findElectron, sandboxSwitch } from '../../scripts/lib/electron.ts'
import { root } from '../../scripts/lib/paths.ts'

export type DesktopOptions = {
  dataDir: string
  /** Where the app keeps what is its own: window state, logs, the browser's files. */
  profile: string
  /** A packed app to start instead of the one in dist/. */
  executable?: string
  args?: string[]
}

export type DesktopApp = {
  app: ElectronApplication
  window: Page
  status(): Promise<ServerStatus>
  /** Quits as the menu does and waits until the process is gone. */
  quit(): Promise<void>
  /** Makes sure that nothing is left of it. */
  end(): Promise<void>
  log(): string
}

function commandOf({ dataDir, profile, executable, args = [] }: DesktopOptions) {
  const electron = executable ?? process.env.PARLEY_ELECTRON ?? findElectron()?.path
  if (!electron) throw new Error('no Electron binary; `npm test` finds or fetches one')
  return {
    executablePath: electron,
    args: [
      ...sandboxSwitch(),
      // No graphics card behind a virtual display, and a small /dev/shm in containers.
      '--disable-gpu',
      '--disable-dev-shm-usage',
      ...(executable ? [] : [root]),
      `--user-data-dir=${profile}`,
      `--data-dir=${dataDir}`,
      '--port=0',
      ...args,
    ],
  }
}

/** Starts the app where it already runs. Playwright cannot: there is never a window. Answers the exit code. */
export function startAgain(options: DesktopOptions): Promise<number | null> {
  const { executablePath, args } = commandOf(options)
  const child = spawn(executablePath, args, { stdio: 'ignore', timeout: 30_000 })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

export async function launchDesktop(options: DesktopOptions): Promise<DesktopApp> {
  const app = await _electron.launch({ ...commandOf(options), timeout: 30_000 })
  const child = app.process()
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  }
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const window = await app.firstWindow()
  return {
    app,
    window,
    log: () => log,
    status: () => window.evaluate(() => (window as unknown as { desktop: Desktop }).desktop.getStatus()),
    async quit() {
      await app.evaluate(({ app }) => app.quit())
      await gone
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await app.close().catch(() => child.kill('SIGKILL'))
      await gone
      clearTimeout(timer)
    },
  }
}
