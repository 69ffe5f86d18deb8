// Bundles the server, the desktop shell and the admin page into dist/.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { nodeBundleConfig, nodeBundles } from '../vite.node.config.ts'
import { packageVersion } from './lib/build-facts.ts'
import { stampFile } from './lib/freshness.ts'
import { root } from './lib/paths.ts'

const started = Date.now()
const dist = join(root, 'dist')
const { resolve } = createRequire(import.meta.url)

// A server that runs from dist/ keeps its open files; only what this build writes is replaced.
rmSync(stampFile, { force: true })
for (const name of ['server', 'app', 'renderer', 'console']) {
  rmSync(join(dist, name), { recursive: true, force: true })
}

// Bundles are not minified and share no state, so all of them are built at once.
await Promise.all([
  ...Object.values(nodeBundles)
    .filter(({ entry }) => existsSync(join(root, entry)))
    .map((bundle) => build(nodeBundleConfig(bundle))),
  existsSync(join(root, 'renderer/index.html')) &&
    build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' }),
])
for (const name of ['server', 'app/pages']) mkdirSync(join(dist, name), { recursive: true })
copyDatabaseEngine()
copyApiConsole()
copyAppFiles()

mkdirSync(dist, { recursive: true })
writeFileSync(stampFile, `${JSON.stringify({ version: packageVersion(), built: new Date().toISOString() })}\n`)
console.error(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s`)

function copyDatabaseEngine(): void {
  copyFileSync(resolve('sql.js/dist/sql-wasm.wasm'), join(dist, 'server', 'sql-wasm.wasm'))
}

/** The page around it is the server's; these are only the files it loads, so that it works offline. */
function copyApiConsole(): void {
  const from = dirname(resolve('swagger-ui-dist/package.json'))
  const to = join(dist, 'console')
  mkdirSync(to, { recursive: true })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
    copyFileSync(join(from, name), join(to, name))
  }
}

function copyAppFiles(): void {
  for (const name of ['status.html', 'status.css']) {
    if (existsSync(join(root, 'app', 'pages', name))) copyFileSync(join(root, 'app', 'pages', name), join(dist, 'app', 'pages', name))
  }
  const icons = join(root, 'resources', 'icons')
  if (existsSync(icons)) cpSync(icons, join(dist, 'app', 'icons'), { recursive: true })
}
