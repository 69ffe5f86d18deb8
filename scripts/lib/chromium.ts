import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { findCommand } from './run.ts'

/** A Chromium that tests can drive: the one named by PARLEY_CHROMIUM, Playwright's own, or the system's. */
export function findChromium(): string | undefined {
  const { PARLEY_CHROMIUM } = process.env
  if (PARLEY_CHROMIUM) return PARLEY_CHROMIUM
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
  return names.map(findCommand).find(Boolean) ?? installedApps.find((path) => existsSync(path))
}

const programs = process.env.PROGRAMFILES ?? 'C:\\Program Files'
const installedApps =
  {
    darwin: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: [
      `${programs}\\Google\\Chrome\\Application\\chrome.exe`,
      `${programs} (x86)\\Microsoft\\Edge\\Application\\msedge.exe`,
    ],
  }[process.platform as string] ?? []
