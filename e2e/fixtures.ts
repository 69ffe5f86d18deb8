// What a journey needs: a data folder of its own, a server on it, a browser or the desktop window. All of it is
// gone when the test ends.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { artifactsDir } from '../scripts/lib/paths.ts'
import { type DesktopApp, type DesktopOptions, launchDesktop } from './helpers/desktop-app.ts'
import { type RunningServer, startServer } from './helpers/server-process.ts'

type Fixtures = {
  /** A fresh folder under the system's temporary one. */
  scratch: string
  dataDir: string
  /** `parley serve --dev` on the data folder, at a free port. */
  server: RunningServer
  /** Starts the desktop app on the data folder, with a profile of its own; again, for a second start. */
  openDesktop: (options?: Partial<DesktopOptions>) => Promise<DesktopApp>
  /** Keeps a picture of a page in artifacts/. */
  keepScreenshot: (page: Page, name: string) => Promise<void>
}

export const test = base.extend<Fixtures>({
  // Playwright asks for a pattern here, even where nothing is needed.
  // oxlint-disable-next-line no-empty-pattern
  scratch: async ({}, use) => {
    const dir = mkdtempSync(join(tmpdir(), 'parley-e2e-'))
    await use(dir)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  },
  dataDir: async ({ scratch }, use) => {
    await use(join(scratch, 'data'))
  },
  server: async ({ dataDir }, use, testInfo) => {
    const server = await startServer(dataDir)
    await use(server)
    await server.stop()
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server log', { body: server.log(), contentType: 'text/plain' })
    }
  },
  openDesktop: async ({ scratch, dataDir }, use, testInfo) => {
    const opened: DesktopApp[] = []
    await use(async (options) => {
      const desktop = await launchDesktop({ dataDir, profile: join(scratch, 'profile'), ...options })
      opened.push(desktop)
      return desktop
    })
    for (const desktop of opened) {
      await desktop.end()
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('app log', { body: desktop.log(), contentType: 'text/plain' })
      }
    }
  },
  // oxlint-disable-next-line no-empty-pattern
  keepScreenshot: async ({}, use) => {
    if (!existsSync(artifactsDir)) mkdirSync(artifactsDir, { recursive: true })
    await use(async (page, name) => {
      await page.screenshot({ path: join(artifactsDir, `${name}.png`) })
    })
  },
})

export { expect } from '@playwright/test'
