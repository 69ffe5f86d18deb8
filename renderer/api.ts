// Requests to the server: its own admin interface, and the public interface of one realm.

import type { FoundEmoji, ImportOutcome, RealmInfo, StorageState, WatchedFile } from '../server/contract.ts'
import { reportLost, reportReachable } from './base/connection.ts'

/** The server answered, and said no. `message` is written for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly data: Record<string, unknown> = {},
  ) {
    super(message)
  }
}

/** No answer at all. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  constructor() {
    super('The server cannot be reached.')
  }
}

export interface Session {
  kind: 'operator' | 'administrator'
  realm: string | null
  email: string | null
}

export interface ServerInfo {
  version: string
  feature_level: number
  url: string
  lan_urls: string[]
  data_dir: string
  pid: number
  started_at: number
  database_bytes: number
  node_version: string
  development: boolean
  storage: StorageState
}

export interface Backup {
  name: string
  bytes: number
  /** UNIX seconds, here and below. */
  created_at: number
  kind: 'daily' | 'weekly' | 'manual' | 'before-migration'
  /** Null: not checked yet. */
  good: boolean | null
}

export interface Backups {
  backups: Backup[]
  last: { at: number; ok: boolean; name: string; error?: string } | null
  running: { what: 'backup' | 'restore'; name: string; done: number; total: number } | null
  /** How the newest restore ended. */
  restored: {
    at: number
    ok: boolean
    source: string
    created_at: number | null
    aside: string | null
    error?: string
  } | null
  /** How many are kept of those made by themselves. */
  automatic: { daily: number; weekly: number }
}

export type Realm = RealmInfo

export interface NewRealm {
  name: string
  display_name?: string
  owner_email: string
  owner_name: string
  owner_password?: string
}

export interface Credentials {
  user_id: number
  email: string
  api_key: string
}

export interface Access extends Credentials {
  base_url: string
  role: number
}

export interface NewUser {
  email: string
  full_name: string
  role: number
  password?: string
}

/** What a zip archive holds, and under which id it waits to be taken in. */
export interface EmojiImport {
  import_id: string
  emoji: FoundEmoji[]
}

export interface EmojiFolder {
  path: string
  files: WatchedFile[]
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const admin = <T>(method: Method, path: string, body?: object, signal?: AbortSignal) =>
  exchange<T>(`/admin/api${path}`, {
    method,
    signal: signal ?? null,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

const realmPath = (realm: string, rest = '') => `/realms/${encodeURIComponent(realm)}${rest}`

export const adminApi = {
  session: (signal?: AbortSignal) => admin<{ session: Session }>('GET', '/session', undefined, signal),
  signInByToken: (token: string) => admin<{ session: Session }>('POST', '/session', { token }),
  signIn: (realm: string, email: string, password: string) =>
    admin<{ session: Session }>('POST', '/session', { realm, email, password }),
  signOut: () => admin('DELETE', '/session'),
  server: (signal?: AbortSignal) => admin<ServerInfo>('GET', '/server', undefined, signal),
  realms: (signal?: AbortSignal) => admin<{ realms: Realm[] }>('GET', '/realms', undefined, signal),
  createRealm: (realm: NewRealm) =>
    admin<{ realm: Realm; owner: Credentials }>('POST', '/realms', { ...realm, furnished: true }),
  reopenRealm: (realm: string) => admin('POST', realmPath(realm, '/reactivate'), {}),
  access: (realm: string) => admin<Access>('POST', realmPath(realm, '/access'), {}),
  createUser: (realm: string, user: NewUser) => admin<Credentials>('POST', realmPath(realm, '/users'), user),
  changeUser: (realm: string, userId: number, changes: { email?: string; password?: string }) =>
    admin('PATCH', realmPath(realm, `/users/${userId}`), changes),
  newApiKey: (realm: string, userId: number) =>
    admin<{ api_key: string }>('POST', realmPath(realm, `/users/${userId}/api_key`), {}),
  backups: (signal?: AbortSignal) => admin<Backups>('GET', '/backups', undefined, signal),
  createBackup: () => admin<{ name: string }>('POST', '/backups', {}),
  uploadBackup: (file: File) =>
    exchange<{ name: string }>('/admin/api/backups/upload', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    }),
  backupUrl: (name: string) => `/admin/api/backups/${encodeURIComponent(name)}`,
  restoreBackup: (name: string) => admin('POST', `/backups/${encodeURIComponent(name)}/restore`, {}),
  deleteBackup: (name: string) => admin('DELETE', `/backups/${encodeURIComponent(name)}`),
  emojiFolder: (signal?: AbortSignal) => admin<EmojiFolder>('GET', '/emoji-folder', undefined, signal),
  openEmojiImport: (realm: string, archive: File) =>
    exchange<EmojiImport>(`/admin/api${realmPath(realm, '/emoji-imports')}`, {
      method: 'POST',
      body: formWith('archive', archive),
    }),
  confirmEmojiImport: (realm: string, importId: string, choices: Record<string, 'skip' | 'replace'>) =>
    admin<ImportOutcome>('POST', realmPath(realm, `/emoji-imports/${importId}`), { choices }),
  cancelEmojiImport: (realm: string, importId: string) =>
    admin('DELETE', realmPath(realm, `/emoji-imports/${importId}`)),
  dropQueue: (queueId: string) => admin('DELETE', `/queues/${encodeURIComponent(queueId)}`),
}

export type Parameter = string | number | boolean | object

/** The public interface of one realm, called as its owner or as the signed-in administrator. */
export class RealmClient {
  private held: Promise<Access> | undefined

  constructor(readonly realm: string) {}

  access(): Promise<Access> {
    this.held ??= adminApi.access(this.realm).catch((error: unknown) => {
      this.held = undefined
      throw error
    })
    return this.held
  }

  /** After the key in use was replaced. */
  forget(): void {
    this.held = undefined
  }

  async call<T = unknown>(
    method: Method,
    path: string,
    parameters: Record<string, Parameter> = {},
    options: { signal?: AbortSignal; keepalive?: boolean } = {},
  ): Promise<T> {
    const access = this.access()
    try {
      return await this.send<T>(await access, method, path, parameters, options)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      // The key was replaced since we got it: ask for the new one, once.
      if (this.held === access) this.forget()
      return this.send<T>(await this.access(), method, path, parameters, options)
    }
  }

  /**
   * Sends one file.
   * @param progress told of the share that is on its way, from 0 to 1
   */
  async upload<T = unknown>(
    path: string,
    file: File,
    {
      progress,
      parameters = {},
    }: { progress?: (share: number) => void; parameters?: Record<string, Parameter> } = {},
  ): Promise<T> {
    const access = await this.access()
    const form = formWith('filename', file)
    for (const [name, value] of encodeForm(parameters)) form.set(name, value)
    return sendWithProgress<T>(this.address(access, path), basic(access), form, progress)
  }

  private address(access: Access, path: string): string {
    return `${new URL(access.base_url).pathname.replace(/\/$/, '')}/api/v1${path}`
  }

  private send<T>(
    access: Access,
    method: Method,
    path: string,
    parameters: Record<string, Parameter>,
    options: { signal?: AbortSignal; keepalive?: boolean },
  ): Promise<T> {
    const form = encodeForm(parameters)
    const url = this.address(access, path)
    const inQuery = method === 'GET'
    return exchange<T>(inQuery && form.size > 0 ? `${url}?${form}` : url, {
      method,
      headers: { authorization: basic(access) },
      body: inQuery || form.size === 0 ? null : form,
      // A cookie here could only confuse: these calls are made with the key alone.
      credentials: 'omit',
      keepalive: options.keepalive ?? false,
      signal: options.signal ?? null,
    })
  }
}

const clients = new Map<string, RealmClient>()

export function realmClient(realm: string): RealmClient {
  const client = clients.get(realm) ?? new RealmClient(realm)
  clients.set(realm, client)
  return client
}

/** Credentials live in memory only; signing out forgets them. */
export function forgetClients(): void {
  clients.clear()
}

/** Strings and other scalars travel plain, arrays and objects JSON-encoded. */
export function encodeForm(parameters: Record<string, Parameter>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  return form
}

function formWith(name: string, file: File): FormData {
  const form = new FormData()
  form.set(name, file, file.name)
  return form
}

function basic({ email, api_key }: Credentials): string {
  const bytes = new TextEncoder().encode(`${email}:${api_key}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

async function exchange<T>(url: string, init: RequestInit): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { cache: 'no-store', ...init })
    text = await response.text()
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportLost()
    throw new ConnectionError()
  }
  return read<T>(response.status, text)
}

/** What `fetch` cannot do: tell how far a body is on its way. */
function sendWithProgress<T>(
  url: string,
  authorization: string,
  body: FormData,
  progress: ((share: number) => void) | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('authorization', authorization)
    request.upload.onprogress = ({ loaded, total }) => progress?.(total === 0 ? 1 : loaded / total)
    request.onerror = () => {
      reportLost()
      reject(new ConnectionError())
    }
    request.onload = () => {
      try {
        resolve(read<T>(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    }
    request.send(body)
  })
}

function read<T>(status: number, text: string): T {
  const body = parseObject(text)
  if (!body && status >= 502) {
    // A proxy's word that the server behind it is gone.
    reportLost()
    throw new ConnectionError()
  }
  reportReachable()
  if (status >= 300 || body?.result !== 'success') throw errorFrom(status, body)
  // The one place where a reply gets its type: the server checks its replies against the same declaration.
  return body as T
}

function errorFrom(status: number, body: Record<string, unknown> | undefined): ApiError {
  const code = typeof body?.code === 'string' ? body.code : 'UNKNOWN'
  const msg =
    typeof body?.msg === 'string' && body.msg ? body.msg : `The server answered with an error (${status}).`
  return new ApiError(status, code, msg, body)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
