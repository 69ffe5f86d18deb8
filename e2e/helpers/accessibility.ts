import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { root } from '../../scripts/lib/paths.ts'

const axeSource = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

/** Looks at the page as it stands with axe-core, and names each rule that it breaks and where. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colours in the middle of a fade are nobody's colours.
  await page.evaluate(async () => {
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(isFinite)
        .map((animation) => animation.finished),
    )
    function isFinite(animation: Animation) {
      return animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY
    }
  })
  // Through the debugger and not as a script element: the page's own policy forbids those.
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}
