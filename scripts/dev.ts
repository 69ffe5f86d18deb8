// `npm run dev`: the server, started anew at each change, and the admin page from Vite, which reloads itself.
// Options of `parley serve` are passed on; without --data-dir it works in .dev-data in the checkout's cache.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createServer, type ProxyOptions } from 'vite'
import { cacheDir, root } from './lib/paths.ts'
import { packageCommand, untilExit } from './lib/run.ts'

const args = process.argv.slice(2)
const given = (name: string) => args.some((arg) => arg === name || arg.startsWith(`${name}=`))
const dataDir = given('--data-dir') ? [] : ['--data-dir', join(cacheDir, 'dev-data')]
const port = given('--port') ? [] : ['--port', '9871']

const server = spawn(
  process.execPath,
  [
    packageCommand('tsx'),
    'watch',
    '--clear-screen=false',
    'server/main.ts',
    'serve',
    '--dev',
    '--demo',
  ].concat(dataDir, port, args),
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
)

// Where the server answers, once it said so; it may change with each restart.
let target = 'http://127.0.0.1:9871'
const page = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: 5173,
    // Everything but the page itself, which Vite serves.
    proxy: Object.fromEntries(
      ['/admin/api', '/api', '/r/', '/json', '/user_uploads', '/user_avatars'].map((path) => [
        path,
        toServer(),
      ]),
    ),
  },
})
await page.listen()
const pageUrl = page.resolvedUrls?.local[0] ?? 'http://127.0.0.1:5173/admin/'

createInterface({ input: server.stdout }).on('line', (line) => {
  const ready = /^parley ready (\{.*\})$/.exec(line)?.[1]
  if (!ready) return console.log(line)
  const { url, adminUrl } = JSON.parse(ready) as { url: string; adminUrl: string }
  target = url
  const open = new URL(adminUrl)
  open.host = new URL(pageUrl).host
  console.log(`\n  page    ${open.href}\n  server  ${url}\n`)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const code = await untilExit(server)
await page.close()
process.exit(code)

/** The server checks Host and Origin of admin requests, and here the page has another address than the server. */
function toServer(): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    router: () => target,
    configure: (proxy) => {
      proxy.on('proxyReq', (request) => {
        if (request.getHeader('origin')) request.setHeader('origin', target)
      })
    },
  } as ProxyOptions
}
