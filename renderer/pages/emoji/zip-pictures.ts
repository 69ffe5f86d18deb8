// The pictures of a zip archive, as the browser itself can read them: to be looked at before the archive is taken in.

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_LENGTH = 22
const MAX_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8

/** The contents of one file; null where it cannot be read. */
export type PictureOf = (file: string) => Promise<Blob | null>

/** Reads the directory of an archive. One that cannot be read has no pictures: the server says what is wrong with it. */
export async function openZip(archive: Blob): Promise<PictureOf> {
  const entries = await directoryOf(archive).catch(() => new Map<string, Entry>())
  return async (file) => {
    const entry = entries.get(file)
    return entry ? contents(archive, entry).catch(() => null) : null
  }
}

interface Entry {
  method: number
  size: number
  offset: number
}

async function directoryOf(archive: Blob): Promise<Map<string, Entry>> {
  const tail = await view(archive.slice(Math.max(0, archive.size - END_LENGTH - MAX_COMMENT)))
  let end = tail.byteLength - END_LENGTH
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1
  if (end < 0) return new Map()
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  const directory = await view(archive.slice(start, start + size))
  const entries = new Map<string, Entry>()
  for (let at = 0; at + 46 <= size && directory.getUint32(at, true) === ENTRY; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.getUint16(at + field, true))
    const bytes = new Uint8Array(directory.buffer, at + 46, name)
    entries.set(new TextDecoder().decode(bytes), {
      method: directory.getUint16(at + 10, true),
      size: directory.getUint32(at + 20, true),
      offset: directory.getUint32(at + 42, true),
    })
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

async function contents(archive: Blob, { method, size, offset }: Entry): Promise<Blob | null> {
  const header = await view(archive.slice(offset, offset + 30))
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const data = archive.slice(start, start + size)
  if (method === STORED) return data
  if (method !== DEFLATED) return null
  return new Response(data.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob()
}

const view = async (part: Blob): Promise<DataView> => new DataView(await part.arrayBuffer())
