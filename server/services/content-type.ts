/** What a file holds, by its bytes: what its sender says of it counts for nothing. */
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileTypeFromFile } from 'file-type'

const SAMPLE_BYTES = 4096

/** @returns such as `image/png`; `text/plain` for text of any kind, `application/octet-stream` for what is not known */
export async function contentTypeOf(file: string, name: string): Promise<string> {
  const known = await fileTypeFromFile(file).catch(() => undefined)
  const isText = known ? /\bxml$/.test(known.mime) : await looksLikeText(file)
  if (isText && /^\.svgz?$/i.test(extname(name))) return 'image/svg+xml'
  return known?.mime ?? (isText ? 'text/plain' : 'application/octet-stream')
}

async function looksLikeText(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    const sample = buffer.subarray(0, bytesRead)
    // A character may be cut at the end of the sample.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return !sample.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))
  } catch {
    return false
  } finally {
    await handle.close()
  }
}
