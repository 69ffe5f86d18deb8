// Backing up and going back, as an administrator does it.
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { chooseColors, createRealm, createUser, goTo } from './helpers/admin-page.ts'

test('an administrator makes a backup, and goes back to it', async ({ page, server, keepScreenshot }) => {
  await page.goto(server.adminUrl)
  await createRealm(page)
  await goTo(page, 'Backups')
  await expect(page.getByText('No backup yet')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Back up now' }).click()
  const actions = page.getByRole('button', { name: /^Actions for manual-/ })
  await expect(actions).toBeVisible()
  for (const scheme of ['Dark', 'Light'] as const) {
    await chooseColors(page, scheme)
    await expectAccessible(page)
    await keepScreenshot(page, `backups-${scheme.toLowerCase()}-wide`)
  }
  const download = page.waitForEvent('download')
  await actions.click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^manual-.*\.parley-backup$/)

  await goTo(page, /^Users/)
  await createUser(page, { name: 'Ann Anvil', email: 'ann@acme.example' })
  await goTo(page, 'Backups')
  await actions.click()
  await page.getByRole('menuitem', { name: 'Restore…' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('The server was restored')).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await keepScreenshot(page, 'backups-restored-narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await goTo(page, /^Users/)
  await expect(page.getByText('Pat Ironside')).toBeVisible()
  await expect(page.getByText('Ann Anvil')).toHaveCount(0)
})
