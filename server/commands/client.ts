/** Commands speak the admin interface: to the server that holds the folder, or to one started for the moment. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { type Config, loadConfig, resolveDataDir } from '../config.ts'
import { type LockHolder, readLock } from '../db/data-folder.ts'
import { createServer } from '../server.ts'
import { ExitError, UsageError } from './exit.ts'

export interface AdminClient {
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>>
}

export type Flags = Record<string, string | boolean | undefined>

const common = { 'data-dir': { type: 'string' }, json: { type: 'boolean' } } as const

/** @throws UsageError */
export function parseCommand(words: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { ...common, ...options },
      allowPositionals: true,
    })
    return { flags: values as Flags, names: positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws UsageError when the flag is missing */
export function required(flags: Flags, name: string): string {
  const value = flags[name]
  if (typeof value !== 'string') throw new UsageError(`--${name} is missing.`)
  return value
}

/** Runs a command's requests. @throws ExitError with the server's reason when it refuses */
export async function withAdmin<T>(flags: Flags, act: (admin: AdminClient) => Promise<T>): Promise<T> {
  const dataDir = typeof flags['data-dir'] === 'string' ? flags['data-dir'] : undefined
  const where = dataDir === undefined ? {} : { dataDir }
  const holder = await readyHolder(resolveDataDir(where))
  if (holder?.url && holder.token) return act(clientFor(holder.url, holder.token))
  const config: Config = { ...loadConfig(where), log: 'silent', demo: false }
  const running = await createServer(config, { privately: true })
  try {
    return await act(clientFor(running.url, running.adminToken))
  } finally {
    await running.close()
  }
}

/** The living holder of the folder. One that is just starting is given the time to say where it answers. */
async function readyHolder(dir: string): Promise<LockHolder | null> {
  for (let tries = 0; tries < 50; tries += 1) {
    const holder = readLock(dir)
    if (holder === null || holder.url !== null) return holder
    await sleep(100)
  }
  return readLock(dir)
}

function clientFor(url: string, token: string): AdminClient {
  const call = async (method: string, path: string, body?: Record<string, unknown>) => {
    const response = await fetch(`${url}/admin/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const reply = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new ExitError(1, String(reply['msg']))
    return reply
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) }
}

/** Prints one JSON object with `--json`, the text for people otherwise. */
export function print(flags: Flags, object: object, text: string): void {
  process.stdout.write(flags['json'] ? `${JSON.stringify(object)}\n` : `${text}\n`)
}

/** The first line of standard input, when `--password-stdin` was given. */
export async function readPassword(flags: Flags): Promise<string | undefined> {
  if (!flags['password-stdin']) return undefined
  let input = ''
  for await (const chunk of process.stdin) input += String(chunk)
  return input.split(/\r?\n/)[0] ?? ''
}
