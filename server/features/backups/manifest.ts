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

export const Manifest = z.object({
  format: z.int().min(1),
  program: z.literal('parley'),
  version: z.string(),
  schema_version: z.int().min(0),
  /** UNIX seconds. */
  created_at: z.int(),
  files: z.array(z.object({ name: z.string(), size: z.int().min(0), sha256: Hash })),
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

/** A line per file, in pieces: a long list must not stop the server. */
export function* manifestText({ files, missing, ...facts }: Manifest): Generator<Buffer> {
  const head = JSON.stringify(facts, null, 1).replace(/\n\}$/, '')
  yield Buffer.from(`${head},\n "missing": ${JSON.stringify(missing)},\n "files": [`)
  for (let i = 0; i < files.length; i += 500) {
    const lines = files.slice(i, i + 500).map((file) => `\n  ${JSON.stringify(file)}`)
    yield Buffer.from(`${i > 0 ? ',' : ''}${lines.join(',')}`)
  }
  yield Buffer.from('\n ]\n}\n')
}
