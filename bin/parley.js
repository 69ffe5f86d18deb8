#!/usr/bin/env node
// The `parley` command: runs the built server in dist/, and builds it first in a source checkout.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const main = new URL('../dist/server/main.js', import.meta.url)

if (!existsSync(main) && !buildOnce()) process.exit(1)
await import(main.href)

function buildOnce() {
  const tsx = here('../node_modules/tsx/dist/cli.mjs')
  const script = here('../scripts/build.ts')
  if (!existsSync(script)) {
    console.error('parley: dist/ is missing from this installation; install it again')
    return false
  }
  if (!existsSync(tsx)) {
    console.error('parley: not built yet; run `npm ci` and then `npm run build` in this checkout')
    return false
  }
  console.error('parley: not built yet, building once …')
  // stdout belongs to the command that is about to run, so the build may only write to stderr.
  const build = spawnSync(process.execPath, [tsx, script], { cwd: here('..'), stdio: ['ignore', 2, 2] })
  if (build.status === 0) return true
  console.error('parley: the build failed; see above')
  return false
}
