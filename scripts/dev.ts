// `npm run dev`: the server, started anew at each change, and the admin page from Vite, which reloads itself.
// Options of `parley serve` are passed on; without --data-dir its data is in node_modules/.cache.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createServer, type ProxyOptions } from 'vite'
import { cacheDir, root } from './lib/paths.ts'
import { packageCommand, untilExit } from './lib/run.ts'

const args = process.argv.slice(2)
const { values } = parseArgs({
  args,
  strict: false,
  options: { 'data-dir': { type: 'string' }, port: { type: 'string' } },
})
// A fixed port, for Vite is told once where the server is and the server restarts often.
const port = String(values.port ?? 9871)
const dataDir = String(values['data-dir'] ?? join(cacheDir, 'dev-data'))
const target = `http://127.0.0.1:${port}`

const server = spawn(
  process.execPath,
  [
    packageCommand('tsx'),
    ...['watch', '--clear-screen=false', 'server/main.ts', 'serve', '--dev', '--demo'],
    ...args,
    ...['--port', port, '--data-dir', dataDir],
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
)

/** The server checks Host and Origin of admin requests, and here the page has another address than the server. */
const toServer: ProxyOptions = {
  target,
  changeOrigin: true,
  configure: (proxy) => {
    proxy.on('proxyReq', (request) => {
      if (request.getHeader('origin')) request.setHeader('origin', target)
    })
  },
}

const page = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Everything but the page itself, which Vite serves.
    proxy: Object.fromEntries(
      // With a slash at the end: renderer/api.ts is the page's own.
      ['/admin/api/', '/api/', '/json/', '/r/', '/user_uploads/', '/avatar/'].map((path) => [path, toServer]),
    ),
  },
})
await page.listen()
const pageUrl = page.resolvedUrls?.local[0] ?? 'http://127.0.0.1:5173/admin/'

createInterface({ input: server.stdout }).on('line', (line) => {
  const ready = /^parley ready (\{.*\})$/.exec(line)?.[1]
  if (!ready) return console.log(line)
  const { url, adminUrl } = JSON.parse(ready) as { url: string; adminUrl: string }
  const open = new URL(adminUrl)
  open.host = new URL(pageUrl).host
  console.log(`\n  page    ${open.href}\n  server  ${url}\n`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const code = await untilExit(server)
await page.close()
process.exit(code)
