// What an administrator who is no owner may set, and the pictures of an organization: logos, and emoji by the dozen.
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { createRealm, createUser, goTo } from './helpers/admin-page.ts'
import { archive, dragOver, picture, pngOf } from './helpers/files.ts'

const password = 'seven anvils and a hammer'

test('an administrator sees what only owners set, and gives the realm its pictures', async ({
  page,
  server,
  keepScreenshot,
}) => {
  await page.goto(server.adminUrl)
  await createRealm(page)
  const dialog = page.getByRole('dialog')
  await goTo(page, /^Users/)
  const ada = { name: 'Ada Administers', email: 'ada@acme.example' }
  await createUser(page, ada, { role: /^Administrator/, password })

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('tab', { name: 'I administer a realm' }).click()
  await page.getByRole('textbox', { name: 'Realm' }).fill('acme')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@acme.example')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  // Each that is locked says why; what administrators may set is open beside it.
  await goTo(page, 'Settings')
  const reason = 'Only owners change this'
  for (const [role, name] of [
    ['switch', 'Only by invitation'],
    ['switch', 'Email and password'],
    ['combobox', 'Who may create groups'],
    ['combobox', 'Who may make invitation links'],
  ] as const) {
    await expect(page.getByRole(role, { name })).toBeDisabled()
  }
  await expect(page.getByRole('switch', { name: 'Only by invitation' })).toHaveAccessibleDescription(
    new RegExp(reason),
  )
  expect(await page.getByText(reason).count()).toBeGreaterThan(5)
  await expect(page.getByText('Only owners can close it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close this realm…' })).toBeDisabled()
  await page.getByText('Every message in a channel needs a topic').click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  for (const [name, color] of [
    ['day', '#1c2024'],
    ['night', '#9eb1ff'],
  ] as const) {
    const shown = page.getByRole('img', { name: `The logo by ${name} now` })
    const before = await shown.getAttribute('src')
    const wide = { name: 'wide.png', mimeType: 'image/png', buffer: await pngOf(color, 600, 120) }
    await page.getByLabel(`File for the logo by ${name}`).setInputFiles(wide)
    await expect(page.getByRole('button', { name: `Remove the logo by ${name}` })).toBeVisible()
    await expect(shown).not.toHaveAttribute('src', before ?? '')
    await expect(shown).toHaveJSProperty('naturalWidth', 600)
  }
  await expectAccessible(page)
  await keepScreenshot(page, 'settings-of-administrator')
  await page.getByRole('button', { name: 'Remove the logo by night' }).click()
  await expect(page.getByRole('button', { name: 'Remove the logo by night' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Remove the logo by day' })).toBeVisible()

  await goTo(page, 'Emoji')
  const region = page.getByRole('region', { name: 'Emoji', exact: true })
  const emoji = region.getByRole('listitem')
  const drop = await dragOver(region, [
    await picture('Tea Time.png', '#e5484d'),
    await picture('cake.png', '#30a46c'),
    await picture('anvil.png', '#3e63dd'),
  ])
  await expect(page.getByText('Drop pictures, or a zip archive of them')).toBeVisible()
  await drop()
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Upload 3 emoji' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(emoji).toHaveCount(3)

  const pictureOf = (name: string) => emoji.filter({ hasText: name }).locator('img')
  const sources = {
    cake: await pictureOf('cake').getAttribute('src'),
    anvil: await pictureOf('anvil').getAttribute('src'),
  }
  const pack = await archive('pack.zip', {
    'set/cake.png': await pngOf('#e5484d'),
    'set/anvil.png': await pngOf('#e5484d'),
    'Green Cup.png': await pngOf('#30a46c'),
    'anvil_of_ours.png': await pngOf('#3e63dd'),
    'thumbs_up.png': await pngOf('#3e63dd'),
    'note.png': Buffer.from('no picture'),
    'huge.png': Buffer.alloc(6 * 1024 * 1024),
  })
  const chooseArchive = () => page.getByLabel('Zip archive of emoji').setInputFiles(pack)
  const imports = page.waitForRequest((request) => request.method() === 'DELETE')
  await chooseArchive()
  await expect(dialog.getByRole('region', { name: 'Name is taken' }).getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect((await (await imports).response())?.status()).toBe(200)
  await expect(emoji).toHaveCount(3)

  await chooseArchive()
  const refused = dialog.getByRole('region', { name: 'Cannot be used' })
  await expect(refused.getByRole('listitem').filter({ hasText: 'note.png' })).toContainText(/decode/)
  await expect(refused.getByRole('listitem').filter({ hasText: 'huge.png' })).toContainText(/larger than/)
  await expect(dialog.getByText('It takes the place of an emoji that every organization has.')).toBeVisible()
  // What is there stays, unless it is chosen.
  await expect(dialog.getByRole('checkbox', { name: 'Replace cake' })).not.toBeChecked()
  await expectAccessible(page)
  await keepScreenshot(page, 'emoji-import')
  await dialog.getByRole('checkbox', { name: 'Replace cake' }).check()
  await dialog.getByRole('checkbox', { name: 'All: new' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Add green_cup' }).press('Space')
  await dialog.getByRole('button', { name: 'Import 2 emoji' }).click()
  await expect(page.getByText('Emoji: 1 added, 1 replaced.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(emoji).toHaveCount(4)
  await expect(emoji.filter({ hasText: 'green_cup' })).toContainText('Imported')
  await expect(pictureOf('cake')).not.toHaveAttribute('src', sources.cake ?? '')
  await expect(pictureOf('anvil')).toHaveAttribute('src', sources.anvil ?? '')
})
