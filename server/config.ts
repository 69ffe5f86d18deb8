/** Where the server's settings come from: flags win over `PARLEY_*` variables, those over the data folder's file. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false', '1', '0', '']).transform((word) => word === 'true' || word === '1'),
])
const number = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

const Settings = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: number(0, 65535).default(9870),
  /** A development server: API keys for the asking, no throttling. */
  dev: flag.default(false),
  /** Make the demo realm where there is no realm yet. */
  demo: flag.default(false),
  queueIdleSeconds: number(1, 7 * 86_400).default(600),
  heartbeatSeconds: number(1, 3600).default(60),
  log: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Whether the admin page answers other machines than this one. */
  adminFromOtherMachines: flag.default(false),
  /** Whether channels may be opened to people without an account. */
  webPublicStreamsEnabled: flag.default(true),
  /** Event queues one user may hold at once; one more drops the one that was polled longest ago. */
  maxQueuesPerUser: number(1, 10_000).default(100),
  /** Undelivered events one queue may hold; one more drops the queue, and its client registers again. */
  maxQueueLength: number(10, 1_000_000).default(10_000),
  /** Event queues of all users together; one more drops the one that was polled longest ago. */
  maxQueues: number(10, 1_000_000).default(20_000),
  /** What the undelivered events of all queues may take, in MiB; beyond, queues are dropped likewise. */
  maxUndeliveredMib: number(1, 100_000).default(256),
  /** The largest files that can be sent, in MiB. */
  maxFileUploadSizeMib: number(1, 100_000).default(100),
  maxAvatarFileSizeMib: number(1, 100).default(5),
  maxIconFileSizeMib: number(1, 100).default(5),
  maxLogoFileSizeMib: number(1, 100).default(5),
  maxEmojiFileSizeMib: number(1, 100).default(5),
  /** How many daily backups are kept; 0 makes none. */
  backupDaily: number(0, 366).default(7),
  /** How many weekly backups are kept beyond the daily ones; without daily ones they are made weekly. */
  backupWeekly: number(0, 520).default(4),
})

export interface Config extends z.output<typeof Settings> {
  /** Absolute path of the data folder. */
  dataDir: string
}

export type SettingName = keyof typeof Settings.shape
export const settingNames = Object.keys(Settings.shape) as SettingName[]

/** Settings that can change while the server runs. The others decide how it starts, or what clients were told. */
export const liveSettings: ReadonlySet<SettingName> = new Set(
  settingNames.filter((name) => !['host', 'port', 'dev', 'demo', 'webPublicStreamsEnabled'].includes(name)),
)

/** Wrong usage: an option that does not exist, or a value it cannot take. */
export class ConfigError extends Error {}

/** The system's place for application data. */
export function defaultDataDir(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === 'win32')
    return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'parley')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'parley')
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'parley')
}

/** `PARLEY_` and the setting's name in upper case: `queueIdleSeconds` is `PARLEY_QUEUE_IDLE_SECONDS`. */
const variableFor = (name: string): string => `PARLEY_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`

/** Where the data folder is: the flag, `PARLEY_DATA_DIR`, or the system's place. */
export const resolveDataDir = (flags: { dataDir?: string }, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(flags.dataDir ?? env['PARLEY_DATA_DIR'] ?? defaultDataDir(env))

/** Where a value comes from: the first of these that gives one. */
export const sources = ['flag', 'variable', 'config.json', 'default'] as const
export type Source = (typeof sources)[number]

export type Flags = Partial<Record<keyof Config, unknown>> & { dataDir?: string }

/**
 * Joins the settings from all their sources.
 * @throws ConfigError naming the setting, its source and what is wrong
 */
export const loadConfig = (flags: Flags, env: NodeJS.ProcessEnv = process.env): Config =>
  readSettings(flags, env).config

/**
 * {@link loadConfig}, and where each setting comes from.
 * @returns `unknown`: names in the file that mean nothing
 * @throws ConfigError
 */
export function readSettings(
  flags: Flags,
  env: NodeJS.ProcessEnv = process.env,
): { config: Config; sources: Partial<Record<SettingName, Source>>; unknown: string[] } {
  const dataDir = resolveDataDir(flags, env)
  const file = readConfigFile(join(dataDir, 'config.json'))
  const chosen: Record<string, unknown> = {}
  const from: Partial<Record<SettingName, Source>> = {}
  for (const name of settingNames) {
    const given: [Source, string, unknown][] = [
      ['flag', `--${kebab(name)}`, flags[name]],
      ['variable', variableFor(name), env[variableFor(name)]],
      ['config.json', 'config.json', file[name]],
    ]
    const [source, label, value] = given.find(([, , one]) => one !== undefined) ?? []
    if (source === undefined) continue
    const result = Settings.shape[name].safeParse(value)
    if (!result.success) throw new ConfigError(`${label}: ${name} cannot be ${JSON.stringify(value)}`)
    chosen[name] = result.data
    from[name] = source
  }
  const unknown = Object.keys(file).filter((name) => !(name in Settings.shape))
  return { config: { ...Settings.parse(chosen), dataDir }, sources: from, unknown }
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function readConfigFile(file: string): Record<string, unknown> {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(source))
  } catch {
    throw new ConfigError(`${file} is not a JSON object`)
  }
}
