// `npm test`: every test that this machine can run, and the reason where it cannot. `npm test -- unit desktop`
// runs only those suites.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, isUbuntu, whyNoInstall } from './lib/apt.ts'
import { findChromium } from './lib/chromium.ts'
import { type Display, openVirtualDisplay } from './lib/display.ts'
import {
  distOf,
  downloadElectron,
  type Electron,
  fetchTestElectron,
  findElectron,
  missingLibraries,
  runsHere,
} from './lib/electron.ts'
import { whyBuild } from './lib/freshness.ts'
import { artifactsDir } from './lib/paths.ts'
import { findCommand, packageCommand, run, runScript, works } from './lib/run.ts'
import {
  addUp,
  countPlaywright,
  countVitest,
  formatTable,
  readCounts,
  type SuiteResult,
  totalLine,
} from './lib/results.ts'

/** A suite's result, or why this machine cannot run it. */
type Outcome = Omit<SuiteResult, 'suite' | 'seconds'> | { notRun: string }

type Desktop = { electron: Electron; display: { env: NodeJS.ProcessEnv } }

const suites: Record<string, () => Promise<Outcome>> = {
  unit: runUnit,
  browser: runBrowser,
  desktop: runDesktop,
  packaged: runPackaged,
}

const electronLibraries = [
  'libgtk-3-0',
  'libnss3',
  'libgbm1',
  'libasound2',
  'libatk-bridge2.0-0',
  'libcups2',
  'libxss1',
]

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites)
const unknown = wanted.filter((name) => !Object.hasOwn(suites, name))
if (unknown.length > 0) {
  console.error(`no suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}`)
  process.exit(2)
}

rmSync(artifactsDir, { recursive: true, force: true })
mkdirSync(artifactsDir, { recursive: true })

// What suites share is made once.
let built = false
let display: Display | undefined
let desktop: Desktop | { notRun: string } | undefined

const results: SuiteResult[] = []
const notRun: string[] = []
for (const suite of wanted) {
  console.log(`\n== ${suite}`)
  const started = Date.now()
  const outcome = await attempt(suite)
  const seconds = (Date.now() - started) / 1000
  if ('notRun' in outcome) {
    notRun.push(`not run: ${suite}: ${outcome.notRun}`)
    results.push({ suite, passed: 0, failed: 0, skipped: countTests(suite), seconds, note: 'not run' })
  } else {
    results.push({ suite, ...outcome, seconds })
  }
}
display?.close()

const total = addUp(results)
writeFileSync(
  join(artifactsDir, 'results.json'),
  `${JSON.stringify({ ...total, notRun, results }, null, 2)}\n`,
)
console.log(`\n${formatTable(results)}\n`)
for (const line of notRun) console.log(line)
console.log(totalLine(total))
process.exit(total.failed > 0 ? 1 : 0)

/** Preparing a suite can break too, and that must not hide the results of the others. */
async function attempt(suite: string): Promise<Outcome> {
  try {
    return (await suites[suite]?.()) ?? { notRun: 'no such suite' }
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1, skipped: 0, note: error instanceof Error ? error.message : String(error) }
  }
}

async function runUnit(): Promise<Outcome> {
  const file = join(artifactsDir, 'unit.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run(process.execPath, [packageCommand('vitest'), ...args])
  return readCounts(file, code, countVitest)
}

async function runBrowser(): Promise<Outcome> {
  const chromium = await provideChromium()
  if (!chromium) return { notRun: `no Chromium found, and ${whyNoInstall()}` }
  await buildWhereNeeded()
  return runPlaywright('browser', { PARLEY_CHROMIUM: chromium })
}

async function runDesktop(): Promise<Outcome> {
  const desktop = await provideDesktop()
  if ('notRun' in desktop) return desktop
  await buildWhereNeeded()
  return runPlaywright('desktop', { PARLEY_ELECTRON: desktop.electron.path, ...desktop.display.env })
}

async function runPackaged(): Promise<Outcome> {
  const desktop = await provideDesktop()
  if ('notRun' in desktop) return desktop
  await buildWhereNeeded()
  const { electron } = desktop
  const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: distOf(electron) }
  if (await runScript('scripts/package.ts', ['--dir'], { env }))
    throw new Error('the app could not be packed')
  return runPlaywright('packaged', desktop.display.env)
}

async function runPlaywright(suite: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const file = join(artifactsDir, `${suite}.json`)
  const code = await run(
    process.execPath,
    [packageCommand('@playwright/test', 'playwright'), 'test', `--project=${suite}`, '--reporter=list,json'],
    { env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file } },
  )
  return readCounts(file, code, countPlaywright)
}

async function buildWhereNeeded(): Promise<void> {
  const reason = built ? undefined : whyBuild()
  if (reason) {
    console.error(`parley: building first (${reason})`)
    if (await runScript('scripts/build.ts')) throw new Error('the build failed')
  }
  built = true
}

async function provideChromium(): Promise<string | undefined> {
  const found = () => {
    const path = findChromium()
    return path && works(path, ['--version']) ? path : undefined
  }
  const viaApt = () => installPackages(['chromium'])
  const viaPlaywright = () => {
    const withLibraries =
      process.platform === 'linux' && whyNoInstall().startsWith('apt-get') ? ['--with-deps'] : []
    return run(process.execPath, [packageCommand('playwright'), 'install', ...withLibraries, 'chromium'], {
      timeout: 300_000,
    })
  }
  const ways = process.platform !== 'linux' || isUbuntu() ? [viaPlaywright, viaApt] : [viaApt, viaPlaywright]
  for (const provide of [() => undefined, ...ways]) {
    await provide()
    const path = found()
    if (path) return path
  }
  return undefined
}

async function provideDesktop(): Promise<Desktop | { notRun: string }> {
  desktop ??= await findDesktop()
  return desktop
}

async function findDesktop(): Promise<Desktop | { notRun: string }> {
  const electron = findElectron() ?? (await downloadElectron(240)) ?? (await fetchTestElectron())
  if (!electron) return { notRun: 'no Electron binary: the official one cannot be fetched, nor its stand-in' }
  const missing = missingLibraries(electron.path)
  if (missing.length > 0 && !(await installPackages(electronLibraries))) {
    return { notRun: `${missing.join(', ')} missing, and ${whyNoInstall()}` }
  }
  if (!runsHere(electron)) return { notRun: `the Electron binary at ${electron.path} does not run here` }
  console.error(`parley: Electron ${electron.version} from ${electron.origin}`)
  if (process.platform !== 'linux') return { electron, display: { env: {} } }
  // A virtual display even where there is a real one: windows that pop up disturb, and are disturbed.
  if (!findCommand('Xvfb')) await installPackages(['xvfb'])
  const xvfb = findCommand('Xvfb')
  if (xvfb) {
    display = await openVirtualDisplay(xvfb)
    return { electron, display }
  }
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return { electron, display: { env: {} } }
  return { notRun: `no display and no Xvfb, and ${whyNoInstall()}` }
}

/** How many tests a suite that was not run holds: they count as skipped. */
function countTests(suite: string): number {
  if (suite === 'unit') return 0
  const list = spawnSync(
    process.execPath,
    [
      packageCommand('@playwright/test', 'playwright'),
      'test',
      '--list',
      `--project=${suite}`,
      '--reporter=json',
    ],
    { encoding: 'utf8', env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: '' } },
  )
  return [...(list.stdout ?? '').matchAll(/"projectName":/g)].length
}
