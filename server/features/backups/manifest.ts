/** What a backup says of itself: `manifest.json`, its last entry. */
import { z } from 'zod'

/** Raised when an older Parley could not restore what a newer one writes. */
export const FORMAT = 1
export const MANIFEST_NAME = 'manifest.json'
export const DATABASE_NAME = 'parley.db'
export const CONFIG_NAME = 'config.json'
/** Folders whose files are kept whole. */
export const FILE_FOLDERS = ['uploads', 'emoji'] as const

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

const File = z.object({ name: z.string(), size: z.int().min(0), sha256: Hash })

export const Manifest = z.object({
  format: z.int().min(1),
  program: z.literal('parley'),
  version: z.string(),
  schema_version: z.int().min(0),
  /** UNIX seconds. */
  created_at: z.int(),
  files: z.array(File),
  /** Files that the database refers to and that were not there. */
  missing: z.array(z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** Whether a backup may hold a file of this name: nothing that could end up outside the data folder. */
export function isArchivable(name: string): boolean {
  if (name === DATABASE_NAME || name === CONFIG_NAME) return true
  const [folder = '', ...rest] = name.split('/')
  const isSafe = (part: string): boolean =>
    part !== '' && part !== '.' && part !== '..' && !part.includes('\\') && !part.includes('\0')
  return FILE_FOLDERS.some((known) => known === folder) && rest.length > 0 && rest.every(isSafe)
}

/** So many files are looked at in one go: a long list must not stop the server. */
const PORTION = 500
const LIST_START = '\n "files": ['
const LIST_END = '\n ]\n}\n'

/** The items a portion at a time, with other work in between. */
export async function* portions<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (let i = 0; i < items.length; i += PORTION) {
    yield items.slice(i, i + PORTION)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** A line per file, in pieces. */
export async function* manifestText({ files, missing, ...facts }: Manifest): AsyncGenerator<Buffer> {
  const head = JSON.stringify(facts, null, 1).replace(/\n\}$/, '')
  yield Buffer.from(`${head},\n "missing": ${JSON.stringify(missing)},${LIST_START}`)
  let comma = ''
  for await (const portion of portions(files)) {
    yield Buffer.from(comma + portion.map((file) => `\n  ${JSON.stringify(file)}`).join(','))
    comma = ','
  }
  yield Buffer.from(LIST_END)
}

/** `JSON.parse`, in pieces where the text is laid out as {@link manifestText} does. */
export async function parseJson(text: string): Promise<unknown> {
  const start = text.indexOf(LIST_START)
  const isOurs = text.startsWith('\n  {"', start + LIST_START.length) && text.endsWith(LIST_END)
  if (start < 0 || !isOurs) return JSON.parse(text)
  const head: unknown = JSON.parse(`${text.slice(0, start)}${LIST_START}]}`)
  const files: unknown[] = []
  // A line break cannot stand inside a string of JSON.
  const lines = text.slice(start + LIST_START.length, -LIST_END.length).split(',\n')
  for await (const portion of portions(lines)) {
    files.push(...(JSON.parse(`[${portion.join(',')}]`) as unknown[]))
  }
  return Object.assign(head as object, { files })
}

/** `Manifest.safeParse(value).data`, in pieces. */
export async function asManifest(value: unknown): Promise<Manifest | undefined> {
  if (typeof value !== 'object' || value === null) return undefined
  const list = 'files' in value ? value.files : undefined
  const { data } = Manifest.safeParse({ ...value, files: [] })
  if (!data || !Array.isArray(list)) return undefined
  for await (const portion of portions(list)) {
    const files = Manifest.shape.files.safeParse(portion)
    if (!files.success) return undefined
    data.files.push(...files.data)
  }
  return data
}
