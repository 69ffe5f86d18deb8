/** What the server shows a browser: the admin page, the API console, and the pictures it draws itself. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Router } from 'express'
import type { Server } from '../context.ts'
import { assertAdminMayEnter } from '../features/admin/access.ts'
import { apiRoutes } from '../features/registry.ts'
import { emojiDataJson, extraEmojiAddress, extraEmojiPicture } from '../services/emoji-data.ts'
import { parseAddress } from './address.ts'
import { openApiDocument } from './openapi.ts'

export function staticPages(server: Server): Router {
  const router = express.Router()
  router.get('/', (_req, res) => res.redirect('/admin/'))
  router.use('/admin', (req, _res, next) => {
    assertAdminMayEnter(server, req)
    next()
  })
  router.use('/admin', express.static(builtFolder('renderer'), { setHeaders: cacheHashed }))
  router.use('/static/console', express.static(consoleAssets()))
  router.get('/static/console.js', (_req, res) => {
    res.type('js').send(consoleScript)
  })
  // These belong to a realm, so that their address may begin with one.
  router.use((req, res, next) => {
    const address = parseAddress(req.originalUrl)
    if (req.method !== 'GET' && req.method !== 'HEAD') return next()
    if (address.path === '/api/' || address.path === '/api') {
      if (!req.originalUrl.split('?')[0]?.endsWith('/')) return res.redirect(`${address.prefix}/api/`)
      return void res.type('html').send(consolePage)
    }
    if (address.path === '/static/emoji.json') {
      res.set({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' })
      return void res.type('json').send(emojiDataJson)
    }
    if (address.path === extraEmojiAddress) return void sendPicture(res, extraEmojiPicture)
    next()
  })
  return router
}

/** The document for the console, with the address it is asked for at. */
export const openApiFor = (prefix: string) => openApiDocument(apiRoutes, `${prefix}/api/v1`)

/** A folder of the build: beside the bundle, or in `dist/` when run from source. */
function builtFolder(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return (
    [join(here, '..', name), join(here, '..', '..', 'dist', name)].find(existsSync) ?? join(here, '..', name)
  )
}

/** The console's own files: copied by the build, in their package when run from source. */
function consoleAssets(): string {
  const built = builtFolder('console')
  if (existsSync(built)) return built
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'))
  } catch {
    return built
  }
}

/** Files with a hash in their name never change; the page that names them may at any time. */
function cacheHashed(res: express.Response, file: string): void {
  const isHashed = /-[\w-]{8,}\.\w+$/.test(file)
  res.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}

const consolePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<link rel="stylesheet" href="/static/console/swagger-ui.css">
</head>
<body>
<main id="console"></main>
<script src="/static/console/swagger-ui-bundle.js"></script>
<script src="/static/console.js"></script>
</body>
</html>
`

const consoleScript = `SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#console',
  deepLinking: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

function sendPicture(res: express.Response, svg: string): void {
  res.set('Cache-Control', 'public, max-age=3600').type('svg').send(svg)
}
