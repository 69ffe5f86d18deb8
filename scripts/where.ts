// `npm run where -- POST /messages`: the place where a route is declared. A path alone lists all its methods.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './lib/paths.ts'
import { findRoutes, type RoutePlace } from './lib/route-places.ts'

const words = process.argv.slice(2)
const path = words.find((word) => word.startsWith('/'))
const method = words.find((word) => /^[a-z]+$/i.test(word))?.toUpperCase()
if (!path) {
  console.error('usage: npm run where -- [METHOD] /path')
  process.exit(2)
}

const all = listRoutes()
const wanted = normalize(path)
const found = all.filter((route) => normalize(route.path) === wanted && (!method || route.method === method))
for (const { file, line, method, path } of found) console.log(`${file}:${line}  ${method} ${path}`)
if (found.length === 0) {
  console.error(`${method ?? 'any'} ${path} is not declared`)
  const near = all.filter((route) => normalize(route.path).includes(wanted.split('/')[1] ?? wanted))
  for (const { file, line, method, path } of near.slice(0, 10)) {
    console.error(`  ${file}:${line}  ${method} ${path}`)
  }
  process.exit(1)
}

/** Parameters may be asked for by any name, and the address may be copied whole. */
function normalize(path: string): string {
  return path.replace(/^\/(api\/v1|json)\//, '/').replace(/:\w+|\{\w+\}|\b\d+\b/g, ':')
}

function listRoutes(): RoutePlace[] {
  const base = fileURLToPath(new URL('../server/', import.meta.url))
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted()
    .flatMap((name) =>
      findRoutes(readFileSync(join(base, name), 'utf8'), join(base, name).slice(root.length + 1)),
    )
}
