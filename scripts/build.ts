// Bundles the server, the desktop shell and the admin page into dist/. `npm run build -- server` builds only that.
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { external, nodeBundleConfig, type nodeBundles } from '../vite.node.config.ts'
import { packageVersion } from './lib/build-facts.ts'
import { stampFile } from './lib/freshness.ts'
import { root } from './lib/paths.ts'

const started = Date.now()
const dist = join(root, 'dist')
// Built aside and moved into place, so that a failed build leaves the last good one and a server that runs
// from dist/ never meets half of a page.
const fresh = join(root, `dist/.new-${process.pid}`)
const { resolve } = createRequire(import.meta.url)

const parts: Record<string, () => Promise<unknown>> = {
  async server() {
    await bundle('server')
    copyFileSync(resolve('sql.js/dist/sql-wasm.wasm'), join(fresh, 'server', 'sql-wasm.wasm'))
  },
  async app() {
    await Promise.all([bundle('app'), bundle('preload'), bundle('status')])
    for (const name of ['status.html', 'status.css']) {
      copyFileSync(join(root, 'app', 'pages', name), join(fresh, 'app', 'pages', name))
    }
    cpSync(join(root, 'resources', 'icons'), join(fresh, 'app', 'icons'), { recursive: true })
  },
  renderer: () =>
    build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: join(fresh, 'renderer') },
    }),
  /** The page around it is the server's; these are only the files it loads, so that it works offline. */
  async console() {
    const from = dirname(resolve('swagger-ui-dist/package.json'))
    const to = join(fresh, 'console')
    mkdirSync(to, { recursive: true })
    for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
      copyFileSync(join(from, name), join(to, name))
    }
  },
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts)
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

try {
  await Promise.all(wanted.map(async (name) => parts[name]?.()))
  for (const name of wanted) {
    rmSync(join(dist, name), { recursive: true, force: true })
    renameSync(join(fresh, name), join(dist, name))
  }
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
if (wanted.length === Object.keys(parts).length) {
  const facts = { version: packageVersion(), built: new Date(started).toISOString() }
  writeFileSync(stampFile, `${JSON.stringify(facts)}\n`)
}
console.error(`built ${wanted.join(', ')} in ${((Date.now() - started) / 1000).toFixed(1)} s`)

/** Builds one bundle and refuses leftovers: an import that was not found would only fail where it is installed. */
async function bundle(name: keyof typeof nodeBundles): Promise<void> {
  const result = (await build(nodeBundleConfig(name, fresh))) as Rolldown.RolldownOutput
  const chunks = result.output.filter((file) => file.type === 'chunk')
  const known = new Set([...external, ...chunks.map((chunk) => chunk.fileName)])
  for (const { fileName, imports, dynamicImports } of chunks) {
    const missing = [...imports, ...dynamicImports].find((path) => !isBuiltin(path) && !known.has(path))
    if (missing) throw new Error(`${name}/${fileName} still imports ${missing}: is it installed?`)
  }
}
