import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Downloads and stamps that a fresh `npm ci` may throw away. */
export const cacheDir = join(root, 'node_modules', '.cache', 'parley')

/** Screenshots, traces and result files of a test run. */
export const artifactsDir = join(root, 'artifacts')
