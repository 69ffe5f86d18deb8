import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/lib/chromium.ts'

const quietChromium = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'artifacts/traces',
  // Journeys share a machine with the servers and windows they start; two at once is what two cores carry.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // Its film strip would cost more than the tests themselves.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'browser',
      testMatch: 'journey*.spec.ts',
      use: {
        viewport: { width: 1440, height: 900 },
        launchOptions: { executablePath: findChromium(), args: quietChromium },
      },
    },
    { name: 'desktop', testMatch: 'desktop*.spec.ts', fullyParallel: false },
    { name: 'packaged', testMatch: 'packaged*.spec.ts' },
  ],
})
