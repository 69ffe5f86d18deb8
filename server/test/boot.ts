/** A real server on a fresh data folder, and people who talk to it over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type Config, loadConfig } from '../config.ts'
import { RealmContext } from '../context.ts'
import type { ParleyEvent } from '../events/union.ts'
import { createRealm } from '../features/realms/actions.ts'
import { type Realm, realmByStringId } from '../features/realms/store.ts'
import { createUser } from '../features/users/actions.ts'
import { Role, type RoleName } from '../features/users/roles.ts'
import { updateUser } from '../features/users/store.ts'
import { createServer, type RunningServer, type ServerOptions } from '../server.ts'
import { eventProblems, replyProblems } from './contract.ts'

export type Body = Record<string, any>
export type Params = Record<string, unknown>

/** Starts a server with the realm `test` and its owner; it is stopped and removed when the test is over. */
export async function boot(config: Partial<Config> = {}, options: ServerOptions = {}): Promise<TestServer> {
  const { server, stop } = await start(config, options)
  onTestFinished(stop)
  return server
}

/** {@link boot} for several tests: whoever starts it also stops it. */
export async function start(config: Partial<Config> = {}, options: ServerOptions = {}) {
  const dataDir = config.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-test-')))
  const defaults = loadConfig({ dataDir, port: 0, dev: true, log: 'silent' }, {})
  const running = await createServer({ ...defaults, ...config, dataDir }, options)
  const server = new TestServer(running)
  const stop = async () => {
    await server.close()
    if (config.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  return { server, stop }
}

export class TestServer {
  private realms = new Map<string, Realm>()
  private closed = false

  constructor(readonly running: RunningServer) {}

  get url(): string {
    return this.running.url
  }

  /** The owner of a realm, which is made when it is first named. */
  async owner(realm = 'test'): Promise<Person> {
    this.realm(realm)
    return this.person(`owner@${realm}.example`, realm)
  }

  /** Somebody with a role, made when first named: `ann` is `ann@test.example`, a member. */
  async as(name: string, role: RoleName = 'member', realm = 'test'): Promise<Person> {
    const ctx = new RealmContext(this.running.server, this.realm(realm))
    const email = `${name}@${realm}.example`
    const known = ctx.db.first(ctx.db.q.selectFrom('users').select('id').where('email_key', '=', email))
    if (!known) {
      const full_name = name.charAt(0).toUpperCase() + name.slice(1)
      ctx.transact((tx) => {
        const user = createUser(
          ctx,
          tx,
          { email, full_name, role: Role[role], password_hash: null },
          this.url,
        )
        if (role === 'owner' || role === 'administrator') updateUser(tx, user.id, { can_create_users: 1 })
      })
      await this.running.server.database.durable()
    }
    return this.person(email, realm)
  }

  /** {@link as}, with an event queue open. */
  async listenAs(
    name: string,
    role: RoleName = 'member',
    register: Params = {},
    realm = 'test',
  ): Promise<Person> {
    const person = await this.as(name, role, realm)
    await person.listen(register)
    return person
  }

  realm(name: string): Realm {
    let realm = this.realms.get(name)
    if (!realm) {
      const { server } = this.running
      const owner = { email: `owner@${name}.example`, full_name: `Owner of ${name}`, password_hash: null }
      // A server that is started again finds it there.
      realm =
        realmByStringId(server.database, name) ?? createRealm(server, { stringId: name, name, owner }).realm
      this.realms.set(name, realm)
    }
    return realm
  }

  private async person(email: string, realm: string): Promise<Person> {
    const anybody = new Person(`${this.url}/r/${realm}`, email, '', 0)
    const { api_key, user_id } = await anybody.post('/dev_fetch_api_key', { username: email })
    return new Person(`${this.url}/r/${realm}`, email, api_key, user_id)
  }

  /** A call of the admin interface with the admin token. */
  async admin(method: string, path: string, body?: Params): Promise<Body> {
    const response = await fetch(`${this.url}/admin/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.running.adminToken}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as Body
  }

  async close(): Promise<void> {
    if (!this.closed) await this.running.close()
    this.closed = true
  }
}

type TestEvent = ParleyEvent & { id: number; [field: string]: any }

export class Person {
  queueId = ''
  private lastEventId = -1

  constructor(
    readonly base: string,
    readonly email: string,
    readonly apiKey: string,
    readonly id: number,
  ) {}

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.email}:${this.apiKey}`).toString('base64')}`
  }

  /** Sends a request as any client would: parameters in the query of a GET, in a form otherwise. */
  async request(method: string, path: string, params: Params = {}, headers: Record<string, string> = {}) {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const inQuery = method === 'GET' && Object.keys(params).length > 0
    const response = await fetch(`${this.base}/api/v1${path}${inQuery ? `?${form.toString()}` : ''}`, {
      method,
      headers: { ...(this.apiKey ? { Authorization: this.authorization } : {}), ...headers },
      ...(method === 'GET' ? {} : { body: form }),
    })
    const body = (await response.json()) as Body
    return { status: response.status, headers: response.headers, body }
  }

  /** Sends a file beside other parameters, as a form of a browser would. */
  async send(
    method: string,
    path: string,
    file: { name: string; bytes: Uint8Array | string; type?: string; field?: string },
    params: Params = {},
  ) {
    const form = new FormData()
    for (const [name, value] of Object.entries(params)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const blob = new Blob([file.bytes as Uint8Array<ArrayBuffer>], { type: file.type ?? '' })
    form.set(file.field ?? 'filename', blob, file.name)
    const headers: Record<string, string> = this.apiKey ? { Authorization: this.authorization } : {}
    const response = await fetch(`${this.base}/api/v1${path}`, { method, headers, body: form })
    return { status: response.status, body: (await response.json()) as Body }
  }

  /** A request that must succeed, with a reply that the contract allows. */
  async call(
    method: string,
    path: string,
    params: Params = {},
    headers: Record<string, string> = {},
  ): Promise<Body> {
    const { body } = await this.request(method, path, params, headers)
    expect(body, `${method} ${path}`).toMatchObject({ result: 'success', msg: '' })
    expect(replyProblems(method, path, body), `${method} ${path} against the contract`).toBeNull()
    return body
  }

  get = (path: string, params?: Params) => this.call('GET', path, params)
  post = (path: string, params?: Params) => this.call('POST', path, params)
  patch = (path: string, params?: Params) => this.call('PATCH', path, params)
  delete = (path: string, params?: Params) => this.call('DELETE', path, params)

  /** A request that must be refused. @returns the body of the error */
  async refused(method: string, path: string, params: Params, code: string, status = 400): Promise<Body> {
    const reply = await this.request(method, path, params)
    expect(reply.body, `${method} ${path}`).toMatchObject({ result: 'error', code })
    expect(reply.status).toBe(status)
    expect(reply.body['msg']).toBeTypeOf('string')
    return reply.body
  }

  /** Opens an event queue; an older one is left alone. */
  async listen(params: Params = {}): Promise<Body> {
    const snapshot = await this.post('/register', {
      fetch_event_types: [],
      client_capabilities: {
        empty_topic_name: true,
        archived_channels: true,
        include_deactivated_groups: true,
      },
      ...params,
    })
    this.queueId = snapshot['queue_id']
    this.lastEventId = snapshot['last_event_id']
    return snapshot
  }

  /** The events since the last call, each of a shape that the contract allows; `block` waits for one. */
  async events({ block = false } = {}): Promise<TestEvent[]> {
    const { events } = await this.get('/events', {
      queue_id: this.queueId,
      last_event_id: this.lastEventId,
      dont_block: !block,
    })
    for (const event of events as TestEvent[]) {
      expect(eventProblems(event), `event ${event.type}`).toBeNull()
      expect(event.id).toBeGreaterThan(this.lastEventId)
      this.lastEventId = event.id
    }
    return events as TestEvent[]
  }

  /** Sends a channel message. @returns its id */
  async say(channel: string, topic: string, content: string): Promise<number> {
    return (await this.post('/messages', { type: 'channel', to: channel, topic, content }))['id']
  }

  /** Sends a direct message. @returns its id */
  async tell(people: readonly Person[], content: string): Promise<number> {
    return (await this.post('/messages', { type: 'direct', to: people.map(({ id }) => id), content }))['id']
  }

  /** Subscribes to channels, making those that are not there. */
  join = (names: string | string[], options: Params = {}) =>
    this.post('/users/me/subscriptions', {
      subscriptions: [names].flat().map((name) => ({ name })),
      ...options,
    })
}
