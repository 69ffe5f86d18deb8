// From the token link to a chat that the administrator watches live.
import { expect, test } from './fixtures.ts'
import { expectAccessible } from './helpers/accessibility.ts'
import { chooseColors, createChannel, createRealm, createUser, goTo } from './helpers/admin-page.ts'
import { createApiClient } from './helpers/api-client.ts'

test('an administrator sets up an office and sees two clients chat', async ({
  page,
  server,
  keepScreenshot,
}) => {
  await page.goto(server.adminUrl)
  await expect(page.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
  // The token must not stay where somebody looks over a shoulder or into a history.
  expect(page.url()).not.toContain('token')

  await createRealm(page)
  await goTo(page, /^Users/)
  const ann = await createUser(page, { name: 'Ann Anvil', email: 'ann@acme.example' })
  const bob = await createUser(page, { name: 'Bob Bellows', email: 'bob@acme.example' })
  await goTo(page, /^Channels/)
  await createChannel(page, 'forge', 'Where it gets hot')

  const realm = `${server.url}/r/acme`
  const annClient = createApiClient(realm, ann.email, ann.apiKey, 'anvil-client/1.0')
  const bobClient = createApiClient(realm, bob.email, bob.apiKey, 'bellows-client/2.0')
  await annClient.register(['message'])
  await bobClient.register(['message'])

  await goTo(page, 'Activity')
  const queues = page.getByRole('region', { name: 'Event queues' })
  await expect(queues.getByRole('row').filter({ hasText: 'Ann Anvil' })).toContainText('anvil-client')
  await expect(queues.getByRole('row').filter({ hasText: 'Bob Bellows' })).toContainText('bellows-client')

  const bobWaits = bobClient.events()
  await annClient.post('/messages', {
    type: 'stream',
    to: 'forge',
    topic: 'heat',
    content: 'Is it **hot** yet?',
  })
  const [question] = await bobWaits
  expect(question).toMatchObject({
    type: 'message',
    message: { sender_full_name: 'Ann Anvil', subject: 'heat' },
  })
  await bobClient.post('/messages', { type: 'stream', to: 'forge', topic: 'heat', content: 'White hot.' })
  const heard = await annClient.events()
  expect(heard.map(({ message }) => (message as { content: string }).content)).toEqual([
    '<p>Is it <strong>hot</strong> yet?</p>',
    '<p>White hot.</p>',
  ])

  const tail = page.getByRole('region', { name: 'Live events' })
  await expect(
    tail.getByRole('listitem').filter({ hasText: /(Ann Anvil|Bob Bellows) in #forge/ }),
  ).toHaveCount(2)
  await expect(queues.getByRole('row').filter({ hasText: 'Ann Anvil' })).toBeVisible()
  await keepScreenshot(page, 'journey-activity')
})

test.describe('every page, light and dark, wide and narrow', () => {
  for (const scheme of ['Light', 'Dark'] as const) {
    test(`${scheme.toLowerCase()} pages are accessible`, async ({ page, server, keepScreenshot }) => {
      await page.goto(server.adminUrl)
      await expect(page.getByRole('heading', { name: 'Welcome to Parley' })).toBeVisible()
      await chooseColors(page, scheme)
      await look('welcome')
      await createRealm(page)
      await look('overview')
      await goTo(page, /^Users/)
      await createUser(page, { name: 'Ann Anvil', email: 'ann@acme.example' })
      await look('users')
      await goTo(page, /^Channels/)
      await createChannel(page, 'forge', 'Where it gets hot')
      await look('channels')
      await goTo(page, 'Activity')
      await look('activity')

      async function look(name: string) {
        const file = `${name}-${scheme.toLowerCase()}`
        await expectAccessible(page)
        await keepScreenshot(page, `${file}-wide`)
        await page.setViewportSize({ width: 390, height: 844 })
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow, `${name} must not scroll sideways on a phone`).toBeLessThanOrEqual(0)
        await expectAccessible(page)
        await keepScreenshot(page, `${file}-narrow`)
        await page.setViewportSize({ width: 1440, height: 900 })
      }
    })
  }
})

test('without the token there is only the sign-in', async ({ page, server, keepScreenshot }) => {
  await page.goto(`${server.url}/admin/`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expectAccessible(page)
  await keepScreenshot(page, 'sign-in')
})
