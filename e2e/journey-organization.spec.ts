// What an organization decides on, as its owner does it: emoji, settings, channels.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { acme, createRealm, createUser, goTo } from './helpers/admin-page.ts'
import { pngOf } from './helpers/files.ts'
import { look } from './helpers/look.ts'

test.beforeEach(async ({ page, server }) => {
  await page.goto(server.adminUrl)
  await createRealm(page)
})

test('pictures become emoji, by hand and from the folder', async ({ page, dataDir, keepScreenshot }) => {
  await goTo(page, 'Emoji')
  await expect(page.getByText('No emoji of your own yet')).toBeVisible()
  const red = await pngOf('#e5484d')
  await page
    .getByLabel('Pictures for emoji')
    .first()
    .setInputFiles([
      { name: 'Ship It.png', mimeType: 'image/png', buffer: red },
      { name: 'ship-it!.png', mimeType: 'image/png', buffer: await pngOf('#30a46c') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ])
  const dialog = page.getByRole('dialog', { name: 'Upload emoji' })
  const send = dialog.getByRole('button', { name: /^(Upload|Try again)/ })
  // Known before anything is sent.
  await dialog.getByLabel('Name of ship-it!.png').fill('Ship It')
  await expect(dialog.getByText('Another picture here has this name.')).toBeVisible()
  await expect(send).toBeDisabled()
  await dialog.getByLabel('Name of ship-it!.png').fill('shipped')
  await expectAccessible(page)
  await send.click()
  // One that does not work keeps none of the others from being there.
  await expect(dialog.getByText(/Could not decode/)).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'Ship It.png is uploaded' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Leave out broken.png' }).click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const emoji = page.getByRole('region', { name: 'Emoji', exact: true }).getByRole('listitem')
  await expect(emoji.filter({ hasText: /ship_it|shipped/ })).toHaveCount(2)

  mkdirSync(join(dataDir, 'emoji'))
  writeFileSync(join(dataDir, 'emoji', 'anvil.png'), red)
  writeFileSync(join(dataDir, 'emoji', 'shipped.png'), red)
  await expect(emoji.filter({ hasText: 'anvil' })).toContainText('Imported')
  const refused = page
    .getByRole('region', { name: 'Watched folder' })
    .getByRole('listitem')
    .filter({ hasText: 'shipped.png' })
  await expect(refused).toContainText('already exists')

  await page.getByRole('button', { name: 'Deactivate ship_it' }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(emoji.filter({ hasText: 'ship_it' })).toHaveCount(0)
  await page.getByRole('radiogroup', { name: 'Which emoji' }).getByText('Deactivated').click()
  await expect(emoji.filter({ hasText: 'ship_it' })).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Which emoji' }).getByText('All').click()
  await look(page, (name) => keepScreenshot(page, `emoji-${name}`))
})

test('an owner sets what holds for everybody, and takes the data along', async ({ page, keepScreenshot }) => {
  await goTo(page, 'Settings')
  await expect(page.getByLabel('Description')).toBeVisible()
  await page.getByLabel('File for the icon').setInputFiles({
    name: 'icon.png',
    mimeType: 'image/png',
    buffer: await pngOf('#3e63dd'),
  })
  await expect(page.getByRole('button', { name: 'Remove the icon' })).toBeVisible()
  await page.getByText('Only by invitation', { exact: true }).click()
  await page.getByLabel('Editing is possible for', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Save: Editing is possible for' }).click()
  await page.getByRole('combobox', { name: 'Who may invite people' }).click()
  await page.getByRole('option', { name: /^Administrators/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save: Who may invite people' }).click()
  await expect(page.getByRole('button', { name: /^Save: / })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Only by invitation' })).not.toBeChecked()
  await expect(page.getByLabel('Editing is possible for', { exact: true })).toHaveValue('3')

  await page.getByRole('button', { name: 'Start an export' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /^Download the export/ }).click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  await look(page, (name) => keepScreenshot(page, `settings-${name}`))

  await page.getByRole('button', { name: 'Close this realm…' }).click()
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close this realm' })
  await expect(close).toBeDisabled()
  await page.getByLabel(/^Type/).fill(acme.displayName)
  await close.click()
  await expect(page.getByText('Closed', { exact: true })).toBeVisible()
  await goTo(page, /^Users|Acme/)
  await page.getByRole('button', { name: 'Open it again' }).click()
  await expect(page.getByText(acme.owner.email)).toBeVisible()
})

test('a private channel with chosen people, changed and archived', async ({ page, keepScreenshot }) => {
  await goTo(page, /^Users/)
  await createUser(page, { name: 'Ann Anvil', email: 'ann@acme.example' })
  await goTo(page, /^Channels/)
  await page.getByRole('button', { name: 'Create channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create channel' })
  await dialog.getByLabel('Name').fill('forge')
  await dialog.getByLabel('Description').fill('Where it gets **hot**')
  await expect(dialog.locator('strong')).toHaveText('hot')
  await dialog.getByRole('radio', { name: 'Private, protected history' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create channel' }).click()

  await page.getByRole('link', { name: 'forge', exact: true }).click()
  await expect(page.getByText('Private, protected history · 1 subscriber')).toBeVisible()
  await page.getByRole('combobox', { name: 'Add subscribers' }).click()
  await page.getByRole('option', { name: /^Ann Anvil/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Ann Anvil' })).toBeVisible()
  await page.getByRole('radio', { name: 'Public', exact: true }).check()
  await page.getByRole('switch', { name: 'Default channel' }).check()
  await page.getByRole('button', { name: 'Save reading and keeping' }).click()
  await expect(page.getByText('Public · 2 subscribers · default channel')).toBeVisible()
  await look(page, (name) => keepScreenshot(page, `channel-${name}`))
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(page.getByText('This channel is archived')).toBeVisible()
})
