/** Gives finished files their names, so that they are there after a power loss too. */
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Moves a file whose bytes are on disk to its place, making the folders it takes. Both are on one file system. */
export async function moveIntoPlace(draft: string, target: string): Promise<void> {
  const folder = dirname(resolve(target))
  const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(draft, target)
  const last = firstMade === undefined ? folder : dirname(resolve(firstMade))
  for (let changed = folder; ; changed = dirname(changed)) {
    await syncFolder(changed)
    if (changed === last || changed === dirname(changed)) return
  }
}

/** Writes a file whole, or not at all. */
export async function writeIntoPlace(target: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.new`
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await moveIntoPlace(draft, target)
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and its file systems journal names by themselves.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
