// Draws resources/*.svg as the PNG files that the window, the tray and the packages need. The files are
// committed: run this only after changing a drawing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from './lib/chromium.ts'
import { root } from './lib/paths.ts'

const resources = join(root, 'resources')
const icons: { file: string; drawing: string; size: number; color?: string }[] = [
  { file: 'icon.png', drawing: 'icon.svg', size: 512 },
  { file: 'icons/256.png', drawing: 'icon.svg', size: 256 },
  { file: 'icons/tray.png', drawing: 'icon.svg', size: 16 },
  { file: 'icons/tray@2x.png', drawing: 'icon.svg', size: 32 },
  // macOS reads only the alpha of a file whose name ends in Template.
  { file: 'icons/trayTemplate.png', drawing: 'tray.svg', size: 16, color: '#000' },
  { file: 'icons/trayTemplate@2x.png', drawing: 'tray.svg', size: 32, color: '#000' },
]

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const { file, drawing, size, color = 'inherit' } of icons) {
  await page.setViewportSize({ width: size, height: size })
  const svg = readFileSync(join(resources, drawing), 'utf8')
  await page.setContent(
    `<style>body { margin: 0; color: ${color} } svg { display: block; width: ${size}px }</style>${svg}`,
  )
  await page.screenshot({ path: join(resources, file), omitBackground: true })
  console.log(file)
}
await browser.close()
