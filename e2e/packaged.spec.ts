// The app as it is installed: one archive, no node_modules, no sources beside it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/lib/paths.ts'
import { expect, test } from './fixtures.ts'
import { createRealm } from './helpers/admin-page.ts'

const programs: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['linux-unpacked/parley', 'linux-arm64-unpacked/parley'],
  darwin: ['mac/Parley.app/Contents/MacOS/Parley', 'mac-arm64/Parley.app/Contents/MacOS/Parley'],
  win32: ['win-unpacked/Parley.exe', 'win-arm64-unpacked/Parley.exe'],
}

test('the packed app serves the page from its archive and stores what is typed', async ({
  openDesktop,
  keepScreenshot,
}) => {
  const executable = programs[process.platform]
    ?.map((path) => join(root, 'out', path))
    .find((path) => existsSync(path))
  if (!executable) throw new Error('nothing is packed; run `npm run package -- --dir`')
  const { app, window, status, quit } = await openDesktop({ executable })
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  expect(await app.evaluate(({ app }) => [app.isPackaged, app.getAppPath().endsWith('app.asar')])).toEqual([
    true,
    true,
  ])
  await createRealm(window)
  const { url, version } = await status()
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  const settings = await fetch(`${url}/r/acme/api/v1/server_settings`)
  expect(settings.status).toBe(200)
  const console = await fetch(`${url}/api/`)
  expect(console.status).toBe(200)
  await keepScreenshot(window, 'packaged')
  await quit()
})
