// The admin page as a person uses it: by roles and words, never by classes.
import { expect, type Page } from '@playwright/test'

export type Person = { name: string; email: string }
export type Account = Person & { apiKey: string }

/** The organization that journeys begin with. */
export const acme = {
  displayName: 'Acme Ironworks',
  name: 'acme',
  owner: { name: 'Pat Ironside', email: 'pat@acme.example' },
}

export async function createRealm(page: Page, realm = acme): Promise<Account> {
  await page.getByRole('button', { name: /Create (your first )?realm/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Create realm' })
  await dialog.getByLabel('Display name').fill(realm.displayName)
  await dialog.getByLabel('Name in addresses').fill(realm.name)
  await dialog.getByLabel('Full name').fill(realm.owner.name)
  await dialog.getByLabel('Email').fill(realm.owner.email)
  await dialog.getByRole('button', { name: 'Create realm' }).click()
  const apiKey = await takeShownKey(page, `${realm.displayName} is ready`)
  return { ...realm.owner, apiKey }
}

/** @param role by its name; a member when left out */
export async function createUser(
  page: Page,
  person: Person,
  { role, password }: { role?: RegExp; password?: string } = {},
): Promise<Account> {
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  await dialog.getByLabel('Full name').fill(person.name)
  await dialog.getByLabel('Email').fill(person.email)
  if (role) {
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: role }).click()
  }
  if (password) await dialog.getByLabel('Password (optional)').fill(password)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  const apiKey = await takeShownKey(page, `${person.name} can sign in`)
  await expect(page.getByRole('row').filter({ hasText: person.email })).toBeVisible()
  return { ...person, apiKey }
}

export async function createChannel(page: Page, name: string, description: string): Promise<void> {
  await page
    .getByRole('button', { name: /Create (the first )?channel/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Create channel' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Description').fill(description)
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
}

/** Goes to a page of the navigation. */
export async function goTo(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

export async function chooseColors(page: Page, scheme: 'Light' | 'Dark'): Promise<void> {
  await page.getByRole('button', { name: /Colours/ }).click()
  await page.getByRole('menuitemradio', { name: scheme }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

/** The key is shown this one time. */
async function takeShownKey(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const shown = dialog.locator('code').last()
  await expect(shown).toHaveText(/^\w{32}$/)
  const key = await shown.innerText()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog).toBeHidden()
  return key
}
