// What one writer under kill -9 uploads and links to, and what there must be of it afterwards.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database.ts'
import type { Caller } from './kill-caller.ts'
import type { Random } from './random.ts'

interface Upload {
  name: string
  size: number
  sha256: string
}

export class Uploads {
  cutOffButThere = 0
  readonly #random: Random
  readonly #kept = new Map<string, Upload>()
  /** Those of which nobody has looked at the bytes since they were acknowledged, by `path_id` too. */
  #fresh: string[] = []
  #cutOff: Upload | null = null

  constructor(random: Random) {
    this.#random = random
  }

  async upload(caller: Caller, name: string): Promise<void> {
    // Now and then one that takes its time.
    const size = 1 + this.#random.below(this.#random.chance(0.2) ? 1 << 20 : 20_000)
    const bytes = randomBytes(size)
    const form = new FormData()
    form.append('filename', new Blob([bytes]), name)
    const upload = { name, size, sha256: hashOf(bytes) }
    this.#cutOff = upload
    const { url } = await caller.send('POST', '/user_uploads', form)
    this.#cutOff = null
    this.#keep(String(url).replace('/user_uploads/', ''), upload)
  }

  get count(): number {
    return this.#kept.size
  }

  /** Markdown with a link to one of the newest, if there is any. */
  link(): string | undefined {
    const paths = [...this.#kept.keys()].slice(-10)
    return paths.length === 0 ? undefined : `[file](/user_uploads/${this.#random.pick(paths)})`
  }

  /** The server hands out what it took in. */
  async download(caller: Caller): Promise<void> {
    for (const pathId of this.#fresh.splice(0)) {
      const { url } = await caller.call('GET', `/user_uploads/${pathId}`)
      const response = await fetch(new URL(String(url), caller.api))
      const bytes = Buffer.from(await response.arrayBuffer())
      if (!response.ok || hashOf(bytes) !== this.#kept.get(pathId)?.sha256) {
        throw new Error(`${pathId} is not handed out as it was uploaded`)
      }
    }
  }

  /** @param looksAtAll at the bytes of all files, and not only of the newest */
  examine(db: Database, folder: string, looksAtAll: boolean): void {
    const cutOff = this.#cutOff
    this.#cutOff = null
    const found = cutOff && db.first<{ path_id: string }>(ofName, [cutOff.name])
    if (found) {
      this.cutOffButThere++
      this.#keep(found.path_id, cutOff)
    }
    for (const [pathId, { size }] of this.#kept) {
      const row = db.first<{ size: number }>('SELECT size FROM attachments WHERE path_id = ?', [pathId])
      if (row?.size !== size) throw new Error(`Upload ${pathId} has ${row?.size} bytes, not ${size}`)
      const file = statSync(join(folder, pathId), { throwIfNoEntry: false })
      if (file?.size !== size) throw new Error(`File ${pathId} has ${file?.size} bytes, not ${size}`)
    }
    for (const pathId of looksAtAll ? this.#kept.keys() : this.#fresh) {
      const bytes = readFileSync(join(folder, pathId))
      if (hashOf(bytes) !== this.#kept.get(pathId)?.sha256) throw new Error(`File ${pathId} has other bytes`)
    }
  }

  #keep(pathId: string, upload: Upload): void {
    this.#kept.set(pathId, upload)
    this.#fresh.push(pathId)
  }
}

const ofName = 'SELECT path_id FROM attachments WHERE name = ?'

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Each message is tied to exactly the uploads that it links to, and shows them. */
export function assertLinksHold(db: Database): void {
  const linking = db.all<{ id: number; content: string; rendered_content: string }>(
    "SELECT id, content, rendered_content FROM messages WHERE content LIKE '%](/user\\_uploads/%' ESCAPE '\\'",
  )
  const linked = new Set(
    linking.map(({ id, content, rendered_content: html }) => {
      const [, path = ''] = /\]\(\/user_uploads\/([^)]+)\)/.exec(content) ?? []
      if (!html.includes(`href="/user_uploads/${path}"`))
        throw new Error(`Message ${id} does not show ${path}`)
      return `${id} ${path}`
    }),
  )
  const tied = db.all<{ tie: string }>(
    `SELECT m.message_id || ' ' || a.path_id AS tie FROM attachment_messages AS m
      JOIN attachments AS a ON a.id = m.attachment_id`,
  )
  const wrong = tied.find(({ tie }) => !linked.delete(tie))?.tie ?? [...linked][0]
  if (wrong) throw new Error(`Message and upload do not fit: ${wrong}`)
}
