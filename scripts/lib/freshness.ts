// Whether dist/ is what the sources would give, so that `npm start` and `npm test` build only when they must.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

/** Written last by a build, with the time at which it began to read. */
export const stampFile = join(root, 'dist', 'build.json')

const sources = [
  'server',
  'app',
  'renderer',
  'resources',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'vite.node.config.ts',
  'scripts/build.ts',
]

/** Why a build is needed, or undefined when dist/ is current. */
export function whyBuild(): string | undefined {
  if (!existsSync(stampFile)) return 'there is no build yet'
  const { built: when } = JSON.parse(readFileSync(stampFile, 'utf8')) as { built: string }
  const built = Date.parse(when)
  for (const source of sources) {
    const changed = newerThan(join(root, source), built)
    if (changed) return `${changed.slice(root.length + 1)} is newer than the build`
  }
  return undefined
}

function newerThan(path: string, time: number): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  // A directory's own time tells of deleted and renamed files.
  if (stat.mtimeMs > time) return path
  if (!stat.isDirectory()) return undefined
  for (const name of readdirSync(path)) {
    if (/\.test\.tsx?$/.test(name)) continue
    const changed = newerThan(join(path, name), time)
    if (changed) return changed
  }
  return undefined
}
