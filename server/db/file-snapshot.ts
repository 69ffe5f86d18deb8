// The database file as it was at one moment, to be read at leisure while the database goes on changing it.
import { open } from 'node:fs/promises'

const blockBytes = 4096

/**
 * A write to the file first has the bytes that it replaces kept here, as far as they were not read yet. That costs
 * each changed page one more read, where holding all changes back would let the log grow without bound, and have
 * the first checkpoint afterwards stop the server for as long as it takes to catch up.
 */
export class FileSnapshot {
  readonly file: string
  readonly size: number
  readonly #readOld: (into: Uint8Array, position: number) => void
  readonly #onEnd: () => void
  readonly #kept = new Map<number, Uint8Array>()
  /** Everything before has been read, and may change. */
  #done = 0
  #failure: Error | null = null
  #ended = false

  /** Use `Database.snapshot`. */
  constructor(
    file: string,
    size: number,
    readOld: (into: Uint8Array, position: number) => void,
    onEnd: () => void,
  ) {
    this.file = file
    this.size = size
    this.#readOld = readOld
    this.#onEnd = onEnd
  }

  /** To be called before these bytes of the file change. Never throws: the write matters more than the copy. */
  beforeChange(position: number, length: number): void {
    if (this.#failure) return
    const end = Math.min(position + length, this.size)
    const start = Math.max(position, this.#done)
    try {
      for (let at = start - (start % blockBytes); at < end; at += blockBytes) {
        if (this.#kept.has(at)) continue
        const bytes = new Uint8Array(Math.min(blockBytes, this.size - at))
        this.#readOld(bytes, at)
        this.#kept.set(at, bytes)
      }
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** What is read from here on could be wrong: the file is not written by this process any more, or not well. */
  fail(reason: Error): void {
    this.#failure ??= reason
    this.#kept.clear()
  }

  /** The bytes in order. Each chunk is valid until the next is asked for. Ends the snapshot. */
  async *chunks(chunkBytes = 64 * blockBytes): AsyncGenerator<Uint8Array> {
    try {
      const handle = await open(this.file, 'r')
      try {
        const buffer = Buffer.allocUnsafe(chunkBytes)
        while (this.#done < this.size) {
          const chunk = buffer.subarray(0, Math.min(chunkBytes, this.size - this.#done))
          const read = await readFully((rest, at) => handle.read(rest, 0, rest.length, at), chunk, this.#done)
          this.#restoreKept(chunk, read)
          this.#done += chunk.length
          yield chunk
        }
      } finally {
        await handle.close()
      }
    } finally {
      this.end()
    }
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.fail(new Error('The snapshot has ended'))
    this.#onEnd()
  }

  #restoreKept(chunk: Uint8Array, read: number): void {
    let whole = read
    for (let at = this.#done; at < this.#done + chunk.length; at += blockBytes) {
      const bytes = this.#kept.get(at)
      if (!bytes) continue
      chunk.set(bytes, at - this.#done)
      this.#kept.delete(at)
      // A file that was made shorter meanwhile ends early; the rest was kept.
      if (at - this.#done <= whole) whole = Math.max(whole, at - this.#done + bytes.length)
    }
    if (this.#failure) throw this.#failure
    if (whole < chunk.length) throw new Error(`${this.file} is shorter than it was`)
  }
}

/** Reads until `into` is full or the file ends. */
async function readFully(
  read: (rest: Uint8Array, position: number) => Promise<{ bytesRead: number }>,
  into: Uint8Array,
  position: number,
): Promise<number> {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await read(into.subarray(done), position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}
