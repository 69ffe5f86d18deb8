/** From an HTTP request to a route and back: one place for decoding, callers, errors and replies. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import compression from 'compression'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { type EventStream, RequestContext, type RequestFacts, type Server } from '../context.ts'
import { LostCommitError, StorageUnavailableError } from '../db/database.ts'
import { adminSessionOf, assertAdminMayEnter, sessionCookie } from '../features/admin/access.ts'
import { SignInRequiredError } from '../features/admin/errors.ts'
import type { Me } from '../features/users/access.ts'
import { BotType } from '../features/bots/store.ts'
import { noRealm, realmById } from '../features/realms/store.ts'
import { getEvents } from '../features/register/get-events.ts'
import { adminRoutes, apiRoutes, pages } from '../features/registry.ts'
import { type Address, parseAddress, resolveRealm } from './address.ts'
import { authenticate } from './callers.ts'
import type { Page } from './define-page.ts'
import { JsonMembers, LaterReply, type Route } from './define-route.ts'
import {
  ApiError,
  BadRequestError,
  InternalError,
  NotFoundError,
  PayloadTooLargeError,
  RealmDeactivatedError,
  StorageUnavailableApiError,
  UnauthorizedError,
} from './errors.ts'
import { createMatcher, decodeSegment, type Match } from './match.ts'
import { type Incoming, withMultipart } from './multipart.ts'
import { decodeParams, type RawParams } from './params.ts'
import { openApiFor, staticPages } from './pages.ts'
import { sendFileReply } from './send-file.ts'

/** The largest body of a request without files, in bytes. */
const BODY_LIMIT = 4 * 1024 * 1024

/** Everything the server answers. */
export function createApp(server: Server): RequestListener {
  const app = createExpress(server)
  const servePoll = createPollListener(server)
  return (req, res) => {
    if (!servePoll(req, res)) app(req, res)
  }
}

function createExpress(server: Server): Express {
  const app = express()
  const matchApi = createMatcher(apiRoutes)
  const matchAdmin = createMatcher(adminRoutes)
  app.disable('x-powered-by').disable('etag')
  app.set('query parser', (query: string) => new URLSearchParams(query))
  app.use(requestLog(server.log))
  app.use((_req, res, next) => {
    for (const [name, value] of fixedHeaders) res.setHeader(name, value)
    next()
  })
  // A poll's reply is small, and a stream must not wait in a buffer.
  const compress = compression()
  app.use((req, res, next) => (isStream(req.url) ? next() : compress(req, res, next)))
  app.use(express.urlencoded({ extended: false, limit: BODY_LIMIT, parameterLimit: 10_000 }))
  app.use(express.json({ limit: BODY_LIMIT, strict: true }))

  app.use(async (req, res, next) => {
    const address = parseAddress(req.url)
    if (address.path === '/api/v1/openapi.json') {
      res.json(openApiFor(address.prefix))
    } else if (address.path.startsWith('/api/v1/')) {
      const match = matchApi(req.method, address.path.slice('/api/v1'.length))
      await serveApi(server, match, address, readerOf(server, req, res), req, res)
    } else if (address.named === undefined && address.path.startsWith('/admin/api/')) {
      assertAdminMayEnter(server, req)
      await serveAdmin(server, matchAdmin(req.method, address.path.slice('/admin/api'.length)), req, res)
    } else if (req.method === 'GET' || req.method === 'HEAD' || req.method === 'POST') {
      const isForm = req.method === 'POST'
      const page = pages.find(({ path, submit }) => path.test(address.path) && (!isForm || submit))
      if (page) await servePage(server, page, address, req, res)
      else next()
    } else {
      next()
    }
  })
  app.use(staticPages(server))
  app.use((_req, _res) => {
    throw new NotFoundError('There is no such address')
  })
  app.use(errorReplies(server))
  return app
}

/**
 * Answers `GET /events` without Express. A message to a thousand people who wait ends a thousand of these at once, and
 * the middleware would be a third of the work.
 * @returns whether the request was one
 */
function createPollListener(server: Server): (req: IncomingMessage, res: ServerResponse) => boolean {
  const match = { route: getEvents as Route, segments: new Map<string, string>() }
  const log = requestLog(server.log)
  return (req, res) => {
    const { url = '', method } = req
    if (method !== 'GET' || !url.includes('/api/v1/events') || hasBody(req)) return false
    const address = parseAddress(url)
    if (address.path !== '/api/v1/events') return false
    log(req as Request, res as Response, () => {})
    const question = url.indexOf('?')
    const sent = new Map(new URLSearchParams(question < 0 ? '' : url.slice(question + 1)))
    const read: ParamReader = (_route, work) => work(sent)
    serveApi(server, match, address, read, req, res, pollHeaders).catch((error: unknown) =>
      replyWithError(server, error, req, res, pollHeaders),
    )
    return true
  }
}

/** Events are data, of which nothing can be run or framed. A dozen headers cost more than the event itself. */
const pollHeaders: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const isStream = (url: string): boolean => url.includes('/events') || url.startsWith('/admin/api/activity')

/** Brings what a request sent, a file too while `work` lasts. */
type ParamReader = (route: Route, work: (sent: RawParams) => Promise<void>) => Promise<void>

const readerOf =
  (server: Server, req: Request, res: Response): ParamReader =>
  (route, work) =>
    withMultipart(server, route, req, res, (incoming) => work(sentParams(req, incoming)))

async function serveApi(
  server: Server,
  match: Match,
  address: Address,
  read: ParamReader,
  req: IncomingMessage,
  res: ServerResponse,
  headers: readonly string[] = [],
) {
  const realm = resolveRealm(server, address, req.headers.host)
  const ctx = new RequestContext(server, realm, new HttpFacts(server, req, res, address.prefix))
  const { caller } = match.route
  if (realm.isDeactivated && caller !== 'anyone') throw new RealmDeactivatedError()
  const me = caller === 'anyone' ? null : authenticate(ctx, req.headers.authorization)
  if (me === null && caller === 'user') throw new UnauthorizedError()
  if (me?.bot_type === BotType.incomingWebhook && !match.route.forWebhookBots) {
    throw new UnauthorizedError('This API is not available to incoming webhook bots.')
  }
  // Only now that it is known who sends it: strangers do not fill the disk.
  await read(match.route, (sent) => answer(ctx, match, me, sent, res, headers))
}

/** @throws UnauthorizedError for bots that may do nothing but send */
function authenticateReader(ctx: RequestContext, req: IncomingMessage): Me | null {
  const me = authenticate(ctx, req.headers.authorization)
  if (me?.bot_type === BotType.incomingWebhook) throw new UnauthorizedError()
  return me
}

/** The text fields of a plain form. */
function sentForm(req: Request): Map<string, string> {
  const body: unknown = req.body
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new Map(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

async function servePage(server: Server, page: Page, address: Address, req: Request, res: Response) {
  const groups: readonly (string | undefined)[] = (page.path.exec(address.path) ?? []).slice(1)
  const parts = groups.map((part) => (part === undefined ? '' : decodeSegment(part)))
  const realm =
    page.realmIdAt === undefined
      ? resolveRealm(server, address, req.headers.host)
      : realmById(server.database, Number(parts[page.realmIdAt]))
  if (!realm) throw new NotFoundError('There is no such address')
  const ctx = new RequestContext(server, realm, new HttpFacts(server, req, res, address.prefix))
  const submit = req.method === 'POST' ? page.submit : undefined
  const reply = submit
    ? await submit(ctx, parts, sentForm(req))
    : await page.run(ctx, authenticateReader(ctx, req), parts)
  await server.database.durable()
  if ('html' in reply) {
    const headers = { 'Content-Security-Policy': reply.policy, 'Cache-Control': 'no-store' }
    return void res.status(reply.status).set(headers).type('html').send(reply.html)
  }
  if ('file' in reply) await sendFileReply(res, reply)
  else res.set('Cache-Control', 'public, max-age=3600').type('svg').send(reply.svg)
}

async function serveAdmin(server: Server, match: Match, req: Request, res: Response) {
  const ctx = new RequestContext(server, noRealm, new HttpFacts(server, req, res, ''))
  const session = adminSessionOf(server, req)
  if (session === null && match.route.caller === 'admin') throw new SignInRequiredError()
  await readerOf(server, req, res)(match.route, (sent) => answer(ctx, match, session, sent, res))
}

async function answer(
  ctx: RequestContext,
  { route, segments }: Match,
  me: unknown,
  sent: RawParams,
  res: ServerResponse,
  headers: readonly string[] = [],
) {
  const { values, ignored } = decodeParams(route.params, sent, segments)
  const { database } = ctx.server
  const { losses } = database
  const body = await run(route, ctx, me, values)
  // What the reply tells, written by this request or read from another's write, must be on disk before it leaves.
  await database.durable()
  if (database.losses !== losses) throw new LostCommitError(database.file)
  if (res.headersSent || res.destroyed) return
  const notice = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : null
  if (body instanceof LaterReply) {
    const open = openSuccess(notice)
    body.begin((outcome) => {
      if (res.headersSent || res.destroyed) return
      if (outcome instanceof ApiError) sendError(res, outcome, headers)
      else sendJson(res, 200, `${open},${outcome.text}}`, headers)
    })
  } else if (body instanceof JsonMembers) {
    sendJson(res, 200, `${openSuccess(notice)},${body.text}}`, headers)
  } else {
    if (ctx.server.config.dev) checkReply(route, body)
    sendJson(res, 200, JSON.stringify({ ...success, ...(body as object), ...notice }), headers)
  }
}

const success = { result: 'success', msg: '' }

/** The reply's JSON without its closing brace. */
const openSuccess = (notice: object | null): string => JSON.stringify({ ...success, ...notice }).slice(0, -1)

/** @param headers names and values in turn: as one list, and with the body as text, Node writes all of it at once */
function sendJson(res: ServerResponse, status: number, text: string, headers: readonly string[]): void {
  const length = String(Buffer.byteLength(text))
  const type = 'application/json; charset=utf-8'
  res.writeHead(status, [...headers, 'Content-Type', type, 'Content-Length', length])
  res.end(text)
}

/** In development a reply that its declaration does not describe is a fault, not a surprise for clients. */
function checkReply({ result }: Route, body: unknown): void {
  const isOpen = result.def.catchall !== undefined
  ;(isOpen ? result : result.strict()).parse(body)
}

const run = (route: Route, ctx: RequestContext, me: unknown, values: unknown): unknown =>
  route.run(ctx, me as never, values as never)

/** Parameters of the query and of the body, whichever kind it is; the body's win. */
function sentParams(req: Request, incoming: Incoming | null): RawParams {
  const sent = new Map<string, unknown>(req.query as unknown as URLSearchParams)
  const body: unknown = req.body
  if (Array.isArray(body)) throw new BadRequestError('A JSON body must be an object')
  if (typeof body === 'object' && body !== null) {
    for (const [name, value] of Object.entries(body)) {
      // A repeated form field: the last one counts, as it does in a query.
      sent.set(name, Array.isArray(value) && !req.is('json') ? value.at(-1) : value)
    }
  }
  if (incoming) sent.set(incoming.name, incoming.file)
  return sent
}

function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    if (log.isLevelEnabled('debug')) {
      const started = performance.now()
      const { path } = parseAddress(req.url)
      res.on('close', () => {
        const ms = Math.round(performance.now() - started)
        log.debug({ method: req.method, path, status: res.statusCode, ms }, 'request')
      })
    }
    next()
  }
}

/** What only Express's replies can do is asked for behind Express only. */
class HttpFacts implements RequestFacts {
  constructor(
    private readonly server: Server,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly prefix: string,
  ) {}

  get client(): string {
    return clientName(this.req.headers['user-agent'])
  }

  get address(): string {
    return this.req.socket.remoteAddress ?? ''
  }

  get realmUrl(): string {
    const host = this.req.headers.host ?? new URL(this.server.url()).host
    return `http://${host}${this.prefix}`
  }

  onGone(listener: () => void): void {
    if (this.res.closed) listener()
    else this.res.once('close', listener)
  }

  setSessionCookie(value: string | null): void {
    const res = this.res as Response
    const name = sessionCookie(this.server)
    const attributes = { httpOnly: true, sameSite: 'strict', path: '/admin' } as const
    if (value === null) res.clearCookie(name, attributes)
    else res.cookie(name, value, { ...attributes, maxAge: 7 * 86_400_000 })
  }

  openStream(): EventStream {
    return openStream(this.res)
  }

  sendFile(file: string, name: string): Promise<void> {
    return sendFile(this.res as Response, file, name)
  }

  body(): IncomingMessage {
    return this.req
  }
}

/** Ends when the file is sent, or when the client has enough of it. */
function sendFile(res: Response, file: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { dotfiles: 'allow', cacheControl: false } as const
    res.download(file, name, options, (error: Error | undefined) => {
      if (error && !res.headersSent && !res.destroyed) reject(error)
      else resolve()
    })
  })
}

/** Server-sent events, for the admin page. A reader too slow to keep up is cut off, and starts over. */
function openStream(res: ServerResponse): EventStream {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  return {
    send: (event, data) => {
      if (res.writableLength > 4 * 1024 * 1024) return void res.destroy()
      res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    end: () => void res.end(),
  }
}

/** `curl` of `curl/8.5.0`; browsers are the website, whatever they call themselves. */
export function clientName(userAgent: string | undefined): string {
  const name =
    /^[^/(]*/
      .exec(userAgent ?? '')?.[0]
      .trim()
      .slice(0, 30) ?? ''
  if (name === '') return 'Unspecified'
  return name === 'Mozilla' ? 'website' : name
}

const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'connect-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // The server speaks plain HTTP on a LAN; a browser told to insist on HTTPS could not come back.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
})

/** The security headers, worked out once: they are the same for every reply. */
const fixedHeaders: readonly (readonly [string, string])[] = (() => {
  const headers: [string, string][] = []
  const setHeader = (name: string, value: string) => void headers.push([name, value])
  securityHeaders({} as IncomingMessage, { setHeader, removeHeader: () => {} } as never, () => {})
  return headers
})()

const errorReplies =
  (server: Server): ErrorRequestHandler =>
  (error: unknown, req, res, _next) =>
    replyWithError(server, error, req, res)

function replyWithError(
  server: Server,
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  headers: readonly string[] = [],
): void {
  const shown = asApiError(error)
  if (shown instanceof InternalError) {
    const { path } = parseAddress(req.url ?? '')
    server.log.error({ err: error, method: req.method, path }, 'request failed')
  }
  if (res.headersSent) return void res.destroy()
  sendError(res, shown, headers)
}

function sendError(res: ServerResponse, error: ApiError, headers: readonly string[]): void {
  const own = Object.entries(error.headers).flat()
  sendJson(res, error.status, JSON.stringify(error.body()), [...headers, ...own])
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StorageUnavailableError) {
    return new StorageUnavailableApiError('Nothing can be saved at the moment. Please try again later.')
  }
  if (isClientError(error)) {
    return error.status === 413
      ? new PayloadTooLargeError('The request is too large')
      : new BadRequestError(`Malformed request: ${error.message}`)
  }
  return new InternalError()
}

/** Errors of the body parsers carry the status they stand for. */
const isClientError = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'status' in error && Number(error.status) >= 400 && Number(error.status) < 500
