/** Exports of organizations in the making, one at a time, and the folder that holds those that are made. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RealmContext, type RequestContext, type Server } from '../../context.ts'
import { allRealms } from '../realms/store.ts'
import { endExport } from './actions.ts'
import { allExports, type ExportRow, exportById, isPending, isReady, updateExport } from './store.ts'
import { writeExport } from './write-export.ts'

export class Exports {
  readonly #server: () => Server
  readonly #stop = new AbortController()
  #last: Promise<void> = Promise.resolve()

  constructor(server: () => Server) {
    this.#server = server
  }

  /** What a process that died was making has failed; a file that is gone, as after a restore, counts as deleted. */
  async start(): Promise<void> {
    const server = this.#server()
    const kept = new Set<string>()
    for (const realm of allRealms(server.database)) {
      const ctx = new RealmContext(server, realm)
      for (const row of allExports(ctx.db)) {
        const name = nameOf(row)
        const isThere = isReady(row) && (await isFile(join(this.#folder, name)))
        if (isThere) kept.add(name)
        else if (isReady(row)) ctx.transact((tx) => updateExport(tx, row.id, { deleted_at: tx.now }))
        else if (isPending(row)) ctx.transact((tx) => updateExport(tx, row.id, { failed_at: tx.now }))
      }
    }
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (/^export-\d+-\d+\.zip(\.partial)?$/.test(name) && !kept.has(name)) {
        await rm(join(this.#folder, name), { force: true })
      }
    }
  }

  /** Makes an export that was noted, after those that are waiting. */
  make(ctx: RequestContext, id: number): void {
    const { realmUrl } = ctx.request
    const background = new RealmContext(ctx.server, ctx.realm)
    this.#last = this.#last.then(() => this.#make(background, id, realmUrl))
  }

  /** Stops what is being made; the next start notes that it failed. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The server stops'))
    await this.#last
  }

  /** Where the file of an export is. */
  file(row: Pick<ExportRow, 'id' | 'realm_id'>): string {
    return join(this.#folder, nameOf(row))
  }

  async remove(row: Pick<ExportRow, 'id' | 'realm_id'>): Promise<void> {
    await rm(this.file(row), { force: true })
  }

  /** Never rejects. */
  async #make(ctx: RealmContext, id: number, realmUrl: string): Promise<void> {
    const { log } = ctx.server
    const row = exportById(ctx.db, id)
    const signal = this.#stop.signal
    if (!row || signal.aborted) return
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const { messages, files } = await writeExport(this.file(row), ctx, row, signal)
      log.info({ realm: ctx.realm.stringId, export: id, messages, files }, 'export done')
      ctx.transact((tx) => endExport(tx, id, 'finished', realmUrl))
    } catch (error) {
      await rm(this.file(row), { force: true }).catch(() => {})
      if (signal.aborted) return
      log.error({ err: error, realm: ctx.realm.stringId, export: id }, 'export failed')
      this.#noteFailure(ctx, id, realmUrl)
    }
  }

  #noteFailure(ctx: RealmContext, id: number, realmUrl: string): void {
    try {
      ctx.transact((tx) => endExport(tx, id, 'failed', realmUrl))
    } catch (error) {
      // The disk is full: the next start notes it.
      ctx.server.log.error({ err: error, export: id }, 'the failure of an export could not be noted')
    }
  }

  get #folder(): string {
    return join(this.#server().folder.path, 'exports')
  }
}

const nameOf = ({ id, realm_id }: Pick<ExportRow, 'id' | 'realm_id'>): string =>
  `export-${realm_id}-${id}.zip`

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
