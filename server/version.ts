/** What this program says of itself. The bundler fills these in; run from source they are asked of the checkout. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

declare const __PARLEY_VERSION__: string | undefined
declare const __PARLEY_COMMIT__: string | undefined

export const FEATURE_LEVEL = 370

export const VERSION: string =
  typeof __PARLEY_VERSION__ === 'string'
    ? __PARLEY_VERSION__
    : String(
        (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
          .version,
      )

/** The commit it was built from; empty where unknown. */
export const MERGE_BASE: string = typeof __PARLEY_COMMIT__ === 'string' ? __PARLEY_COMMIT__ : readCommit()

function readCommit(): string {
  try {
    const cwd = new URL('..', import.meta.url)
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return ''
  }
}
