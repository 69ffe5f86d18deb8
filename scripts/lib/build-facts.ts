import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { root } from './paths.ts'

/** What a build knows about itself, for Vite's `define`. The commit is empty where there is no git. */
export function buildFacts(): Record<string, string> {
  return {
    __PARLEY_VERSION__: JSON.stringify(packageVersion()),
    __PARLEY_COMMIT__: JSON.stringify(currentCommit()),
  }
}

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }
  return manifest.version
}

function currentCommit(): string {
  const git = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return git.status === 0 ? git.stdout.trim() : ''
}
