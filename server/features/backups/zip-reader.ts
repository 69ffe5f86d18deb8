/** Reads a zip archive that may have been made to do harm: whatever is wrong with it ends as a rejected promise. */
import { read } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'

export type { Entry } from 'yauzl'

const CHUNK_BYTES = 256 << 10

export interface ZipReader {
  entries: () => AsyncGenerator<Entry>
  /**
   * The contents of one entry; as many bytes as come, whatever the archive says of their number. Each chunk is valid
   * until the next is asked for.
   */
  read: (entry: Entry) => AsyncGenerator<Uint8Array>
  close: () => Promise<void>
}

export async function openZip(file: string): Promise<ZipReader> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const guard = new GuardedFile(handle, size)
    const options = { autoClose: false, strictFileNames: true }
    const zip = await guard.during(fromRandomAccessReaderPromise(guard, size, options))
    zip.on('error', () => {}) // said again as an event by a reader that has ended
    return {
      entries: () => entriesOf(zip, guard),
      read: (entry) => contentsOf(zip, guard, handle, entry),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function* entriesOf(zip: ZipFile, guard: GuardedFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()
  for (;;) {
    const next = await guard.during(entries.next())
    if (next.done) return
    yield next.value
  }
}

async function* contentsOf(
  zip: ZipFile,
  guard: GuardedFile,
  handle: FileHandle,
  entry: Entry,
): AsyncGenerator<Uint8Array> {
  const { fileDataStart } = await guard.during(zip.readLocalFileHeaderPromise(entry, { minimal: true }))
  const stored = rangeOf(handle, fileDataStart, fileDataStart + entry.compressedSize)
  if (entry.compressionMethod === 0) return yield* stored
  const inflate = createInflateRaw()
  const feeding = pipeline(stored, copied, inflate)
  feeding.catch(() => {}) // seen where the output is read
  yield* inflate as AsyncIterable<Buffer>
}

/** For a reader that takes more than one chunk at a time. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk)
}

async function* rangeOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - start))
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at)
    if (bytesRead === 0) throw new Error('it is cut off')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Offsets come from the archive: an impossible one would otherwise throw where nobody can catch it. */
class GuardedFile extends RandomAccessReader {
  readonly #handle: FileHandle
  readonly #size: number
  #fail: (error: unknown) => void = () => {}
  readonly #failed: Promise<never>

  constructor(handle: FileHandle, size: number) {
    super()
    this.#handle = handle
    this.#size = size
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {})
  }

  /** Ends with what was thrown meanwhile. */
  during<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#failed])
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const settle = (error: Error | null): void => {
      try {
        callback(error)
      } catch (thrown) {
        this.#fail(thrown)
      }
    }
    if (!(position >= 0 && position + length <= this.#size)) {
      setImmediate(settle, new Error('it points outside itself'))
      return
    }
    read(this.#handle.fd, buffer, offset, length, position, (error, bytesRead) => {
      settle(error ?? (bytesRead < length ? new Error('it is cut off') : null))
    })
  }
}
