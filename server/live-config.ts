/** Follows `config.json`: what can change while the server runs does, the rest waits for the next start. */
import { type StatsListener, unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import {
  ConfigError,
  type Flags,
  liveSettings,
  readSettings,
  type SettingName,
  settingNames,
  type Source,
} from './config.ts'
import type { Server } from './context.ts'

export interface SettingState {
  name: SettingName
  /** What holds now. */
  value: string | number | boolean
  /** Where the value comes from that holds now, or from the next start on. */
  source: Source
  /** Whether a change takes effect at once. */
  live: boolean
  /** What holds from the next start on, where that is another value; else null. */
  waiting: string | number | boolean | null
}

const LOOK_EVERY_MS = 500
const SETTLED_MS = 100

export class LiveConfig {
  /** What is wrong with the file as it is now; then what was read before goes on to hold. */
  problem: string | null = null
  /** Names in the file that mean nothing. */
  unknown: string[] = []
  #sources: Partial<Record<SettingName, Source>> = {}
  #waiting: Partial<Record<SettingName, string | number | boolean>> = {}
  readonly #changed: StatsListener = (now, before) => {
    if (now.mtimeMs === before.mtimeMs && now.ino === before.ino) return
    // Whoever is still writing it has done so by then.
    this.#due ??= setTimeout(() => {
      this.#due = undefined
      this.reload()
    }, SETTLED_MS).unref()
  }
  #due: NodeJS.Timeout | undefined

  constructor(
    private readonly server: () => Server,
    private readonly flags: Flags,
  ) {}

  get path(): string {
    return join(this.server().folder.path, 'config.json')
  }

  start(): void {
    try {
      const { sources, unknown } = readSettings(this.#flags)
      this.#sources = sources
      this.unknown = unknown
    } catch {
      // It was read when the server began: somebody is writing it at this moment, and the next look will tell.
    }
    // Looked at, not watched: a watcher would be woken by every write to the database beside it.
    watchFile(this.path, { interval: LOOK_EVERY_MS, persistent: false }, this.#changed)
  }

  close(): void {
    unwatchFile(this.path, this.#changed)
    clearTimeout(this.#due)
  }

  get #flags(): Flags {
    return { ...this.flags, dataDir: this.server().folder.path }
  }

  /** Reads the file anew. One with a mistake anywhere in it changes nothing. */
  reload(): void {
    const { config, log } = this.server()
    let read
    try {
      read = readSettings(this.#flags)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.problem = error.message
      log.error({ reason: error.message }, 'config.json cannot be used; nothing is changed')
      return
    }
    this.problem = null
    this.unknown = read.unknown
    this.#sources = read.sources
    this.#waiting = {}
    const changed: Partial<Record<SettingName, string | number | boolean>> = {}
    for (const name of settingNames) {
      const value = read.config[name]
      if (value === config[name]) continue
      if (liveSettings.has(name)) changed[name] = value
      else this.#waiting[name] = value
    }
    Object.assign(config, changed)
    log.level = config.log
    log.info({ changed, atNextStart: this.#waiting, unknown: this.unknown }, 'read config.json')
  }

  settings(): SettingState[] {
    const { config } = this.server()
    return settingNames.map((name) => ({
      name,
      value: config[name],
      source: this.#sources[name] ?? 'default',
      live: liveSettings.has(name),
      waiting: this.#waiting[name] ?? null,
    }))
  }
}
