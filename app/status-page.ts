// The page the window shows while no server answers. It has its own scheme instead of file:, so that it has
// an origin that can be checked and a policy that comes as a header.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { protocol } from 'electron'

const scheme = 'parley-app'
export const statusPageOrigin = `${scheme}://status`
export const statusPageUrl = `${statusPageOrigin}/status.html`

const files: Record<string, string> = {
  '/status.html': 'text/html; charset=utf-8',
  '/status.css': 'text/css; charset=utf-8',
  '/status.js': 'text/javascript; charset=utf-8',
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Has to be called before the app is ready. */
export function registerStatusScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])
}

export function serveStatusPage(): void {
  protocol.handle(scheme, async (request) => {
    const { pathname } = new URL(request.url)
    const type = files[pathname]
    if (!type) return new Response('Not found', { status: 404 })
    const body = await readFile(join(import.meta.dirname, 'pages', pathname))
    return new Response(new Uint8Array(body), {
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
      },
    })
  })
}
