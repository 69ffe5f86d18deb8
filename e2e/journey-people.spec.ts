// Who is in an organization and what they may: groups, profile fields, links, bots, and the way in.
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { createRealm, createUser, goTo } from './helpers/admin-page.ts'
import { look } from './helpers/look.ts'

test('an administrator arranges people, and somebody joins by a link', async ({
  page,
  server,
  keepScreenshot,
}) => {
  await page.goto(server.adminUrl)
  await createRealm(page)
  await goTo(page, /^Users/)
  await createUser(page, { name: 'Ann Anvil', email: 'ann@acme.example' })
  const dialog = page.getByRole('dialog')

  await goTo(page, 'Groups')
  await createGroup('smiths', 'Ann Anvil')
  await expect(page.getByRole('row').filter({ hasText: 'Ann Anvil' })).toBeVisible()
  await page.getByRole('link', { name: 'Groups' }).last().click()
  await createGroup('everybody at the forge', 'smiths')
  await expect(page.getByText('1 person, all through other groups')).toBeVisible()
  await choose('Mention it', /^Moderators/)
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByText(/permissions of .* are saved/)).toBeVisible()
  await look(page, (view) => keepScreenshot(page, `group-${view}`))
  await page.getByRole('link', { name: 'smiths' }).click()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await expect(dialog.getByText('It is a member of everybody at the forge.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(dialog).toHaveCount(0)

  await goTo(page, 'Profile fields')
  for (const name of ['Phone', 'Birthday']) {
    await page
      .getByRole('button', { name: /Create (the first )?field/ })
      .first()
      .click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Create field' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
    // One that is on its way out still has a button of the same name.
    await expect(dialog).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Move Birthday up' }).click()
  await expect(
    page.getByRole('list', { name: 'Profile fields' }).getByRole('listitem').first(),
  ).toContainText('Birthday')
  await look(page, (view) => keepScreenshot(page, `profile-fields-${view}`))

  await goTo(page, 'Links')
  await page.getByRole('button', { name: 'Create the first link' }).click()
  await dialog.getByLabel('Pattern').fill(String.raw`#(?P<id>\d+)`)
  await dialog.getByLabel('Address').fill('https://tickets.example/{id}')
  await dialog.getByLabel('Try it').fill('See #12')
  await expect(dialog.getByText('https://tickets.example/12')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('list', { name: 'Links' }).getByRole('listitem')).toHaveCount(1)
  await look(page, (view) => keepScreenshot(page, `links-${view}`))

  await goTo(page, /^Users/)
  await page.getByRole('link', { name: 'Ann Anvil' }).click()
  await page.getByLabel('Phone').fill('555 0100')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Ann Anvil is saved.')).toBeVisible()
  await look(page, (view) => keepScreenshot(page, `user-${view}`))
  await page.getByRole('button', { name: 'Create bot' }).click()
  await dialog.getByLabel('Full name').fill('Bellows Watcher')
  await dialog.getByRole('button', { name: 'Create bot' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bellows Watcher' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Owner' })).toHaveValue('Ann Anvil')
  await page.getByRole('switch', { name: 'Listens to all public channels' }).check()
  await page.getByRole('button', { name: 'Save bot' }).click()
  await expect(page.getByText('Bellows Watcher is saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Listens to all public channels' })).toBeChecked()
  await page.getByRole('button', { name: 'Show API key' }).click()
  await expect(page.locator('code').last()).toHaveText(/^\w{32}$/)

  await goTo(page, 'Invitations')
  await page.getByRole('button', { name: 'Invite people' }).first().click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'Link for many' })).toBeVisible()
  await look(page, (view) => keepScreenshot(page, `invitations-${view}`))

  const visitor = await page.context().newPage()
  await visitor.goto(link)
  await expectAccessible(visitor)
  await keepScreenshot(visitor, 'join')
  await visitor.getByLabel('Your name').fill('Nora New')
  await visitor.getByLabel('E-mail address').fill('nora@acme.example')
  await visitor.getByLabel('Password').fill('a good password')
  await visitor.getByRole('button', { name: 'Make my account' }).click()
  await expect(visitor.getByRole('heading', { name: 'Welcome to Acme Ironworks' })).toBeVisible()
  await expectAccessible(visitor)
  await visitor.close()
  await page.getByRole('button', { name: /^Revoke the invitation/ }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('No invitation is open')).toBeVisible()
  await goTo(page, /^Users/)
  await expect(page.getByText('Nora New')).toBeVisible()

  async function createGroup(name: string, member: string) {
    await page
      .getByRole('button', { name: /Create (the first )?group/ })
      .first()
      .click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await choose('Members', member)
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }

  async function choose(label: string, option: string | RegExp) {
    const field = page.getByRole('combobox', { name: label })
    await field.click()
    await page.getByRole('option', { name: option }).first().click()
    // Only the list is to be closed, not the dialog around it.
    await field.press('Tab')
  }
})
