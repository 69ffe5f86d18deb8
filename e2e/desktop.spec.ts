// The desktop window, driven as a person would, with the server that it looks after.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Desktop } from '../app/ipc.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { createRealm } from './helpers/admin-page.ts'
import { startAgain } from './helpers/desktop-app.ts'
import { startServer } from './helpers/server-process.ts'

test('opens signed in on the admin page, and a realm is created there', async ({
  openDesktop,
  keepScreenshot,
}) => {
  const { window, status } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  await keepScreenshot(window, 'desktop-welcome')
  await createRealm(window)
  await expect(window.getByText('Acme Ironworks').first()).toBeVisible()
  await keepScreenshot(window, 'desktop-realm')
  expect(await status()).toMatchObject({ state: 'running', restarts: 0 })
})

test('a page has the table of calls and nothing else of Electron or Node', async ({ openDesktop }) => {
  const { app, window } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  expect(
    await window.evaluate(() =>
      ['require', 'process', 'Buffer', 'module'].filter((name) => name in globalThis),
    ),
  ).toEqual([])
  expect(
    await window.evaluate(() => Object.keys((window as unknown as { desktop: object }).desktop).toSorted()),
  ).toEqual(['getStatus', 'on', 'openFolder', 'openInBrowser', 'startServer', 'stopServer'])
  // A call outside the table rejects instead of doing something else.
  const refusal = await window.evaluate(() =>
    (window as unknown as { desktop: { openFolder(which: string): Promise<void> } }).desktop
      .openFolder('/etc')
      .then(
        () => 'allowed',
        (error: Error) => error.message,
      ),
  )
  expect(refusal).toContain('bad arguments')

  // Away from the admin page leads nowhere, and no second window opens.
  await app.evaluate(({ shell }) => {
    shell.openExternal = async (url) => void Object.assign(globalThis, { openedOutside: url })
  })
  const address = window.url()
  await window.evaluate(() => void globalThis.open('https://example.org/'))
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'openedOutside') as string))
    .toBe('https://example.org/')
  await window.evaluate(() => void location.assign('http://127.0.0.1:9/elsewhere'))
  await window.waitForTimeout(300)
  expect(window.url()).toBe(address)
  expect(app.windows()).toHaveLength(1)
})

test('a killed server is said, started again at its old address, and the page goes on', async ({
  openDesktop,
  keepScreenshot,
}) => {
  const { window, status } = await openDesktop()
  await createRealm(window)
  const before = await status()
  process.kill(before.pid ?? 0, 'SIGKILL')
  await expect(window.getByText('The server stopped unexpectedly').first()).toBeVisible()
  await keepScreenshot(window, 'desktop-restarting')
  await expect(window.getByText('The server stopped unexpectedly')).toHaveCount(0)
  await expect(window.getByText('Acme Ironworks').first()).toBeVisible()
  const after = await status()
  expect(after).toMatchObject({ state: 'running', restarts: 1, url: before.url })
  expect(after.pid).not.toBe(before.pid)
})

test('stop and start', async ({ openDesktop, keepScreenshot }) => {
  const { window } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  await window.evaluate(() => void (window as unknown as { desktop: Desktop }).desktop.stopServer())
  await expect(window.getByRole('heading', { name: 'The server is stopped' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.emulateMedia({ colorScheme })
    await expectAccessible(window)
    await keepScreenshot(window, `desktop-stopped-${colorScheme}`)
  }
  await window.getByRole('button', { name: 'Start the server' }).click()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
})

test('a folder that another server uses is said in words', async ({
  openDesktop,
  dataDir,
  keepScreenshot,
}) => {
  const other = await startServer(dataDir)
  const { window, status } = await openDesktop()
  await expect(
    window.getByRole('heading', { name: 'Another Parley is using this data folder' }),
  ).toBeVisible()
  await expect(window.getByText(String(other.pid))).toBeVisible()
  expect(await status()).toMatchObject({ state: 'failed' })
  await expectAccessible(window)
  await keepScreenshot(window, 'desktop-folder-in-use')
  await other.stop()
  await window.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
})

test('a folder that cannot be used is said in words and left as it is', async ({
  openDesktop,
  dataDir,
  keepScreenshot,
}) => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'parley.db'), 'this is not a database, it only has the name of one')
  const { window } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'The data folder cannot be used' })).toBeVisible()
  await keepScreenshot(window, 'desktop-folder-unusable')
  expect(readFileSync(join(dataDir, 'parley.db'), 'utf8')).toContain('not a database')
})

test('quitting drains the server: no process and no lock stay', async ({ openDesktop, dataDir }) => {
  const { window, status, quit } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  const { pid = 0 } = await status()
  expect(existsSync(join(dataDir, 'parley.lock'))).toBe(true)
  await quit()
  expect(isAlive(pid)).toBe(false)
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.lock') || name.endsWith('-wal'))).toEqual([])
})

test('the window is where it was left', async ({ openDesktop }) => {
  const first = await openDesktop()
  await expect(first.window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  const bounds = { x: 120, y: 90, width: 900, height: 700 }
  await first.app.evaluate(
    ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
    bounds,
  )
  await first.quit()
  const second = await openDesktop()
  await expect(second.window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  const now = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
  )
  expect(now).toMatchObject({ width: 900, height: 700 })
})

test('closing the window asks, and can leave the server running', async ({ openDesktop }) => {
  const { app, window, status } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  const { url } = await status()
  await app.evaluate(({ BrowserWindow, dialog }) => {
    const answer = { response: 0, checkboxChecked: false }
    dialog.showMessageBox = () => Promise.resolve(answer)
    BrowserWindow.getAllWindows()[0]?.close()
  })
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(false)
  expect((await fetch(`${url}/admin/`)).status).toBe(200)
})

test('a second start brings the window of the first to the front', async ({
  openDesktop,
  scratch,
  dataDir,
}) => {
  const { app, window } = await openDesktop()
  await expect(window.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  expect(await startAgain({ dataDir, profile: join(scratch, 'profile') })).toBe(0)
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
