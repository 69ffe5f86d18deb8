import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { chooseColors } from './admin-page.ts'

const wide = { width: 1440, height: 900 }

/** A page light and dark, wide and narrow: each is accessible, fits, and leaves a picture. */
export async function look(page: Page, keep: (view: string) => Promise<void>): Promise<void> {
  for (const scheme of ['Dark', 'Light'] as const) {
    await chooseColors(page, scheme)
    await expectAccessible(page)
    await keep(`${scheme.toLowerCase()}-wide`)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, `${page.url()} must not scroll sideways on a phone`).toBeLessThanOrEqual(0)
  await expectAccessible(page)
  await keep('light-narrow')
  await page.setViewportSize(wide)
}
