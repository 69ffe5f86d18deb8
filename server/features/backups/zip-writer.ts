/**
 * A zip archive, written to a file as its parts come, none of them compressed. Every entry has the 64-bit form, so
 * that sizes beyond 4 GB are nothing special. Libraries that write such archives (yazl too) make the directory at the
 * end in one go, which stops a server with many uploads for too long; and they hand out a stream, where this has to say
 * what is on disk already: it syncs as it goes, tells size and SHA-256 of each entry, and puts them before its bytes.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  name: string
  size: number
  sha256: string
}

interface DirectoryEntry {
  name: Buffer
  size: number
  crc: number
  offset: number
}

/**
 * What waits to be written to the disk by the system is kept below this, because a sync of the database that comes
 * meanwhile may have to wait for all of it, and the one of a checkpoint stops the server.
 */
export const SYNC_EVERY_BYTES = 4 << 20

export class ZipWriter {
  readonly #handle: FileHandle
  readonly #time: number
  readonly #date: number
  readonly #entries: DirectoryEntry[] = []
  #position = 0
  #syncedPosition = 0

  constructor(handle: FileHandle, created: Date) {
    this.#handle = handle
    this.#time = (created.getHours() << 11) | (created.getMinutes() << 5) | (created.getSeconds() >> 1)
    this.#date = ((created.getFullYear() - 1980) << 9) | ((created.getMonth() + 1) << 5) | created.getDate()
  }

  /** Adds one file. A chunk is not looked at any more when the next is asked for. */
  async add(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ZipEntry> {
    const entry: DirectoryEntry = { name: Buffer.from(name), size: 0, crc: 0, offset: this.#position }
    await this.#append(this.#localHeader(entry))
    const hash = createHash('sha256')
    for await (const chunk of chunks) {
      entry.crc = crc32(chunk, entry.crc)
      hash.update(chunk)
      entry.size += chunk.length
      await this.#append(chunk)
    }
    // Now that size and checksum are known.
    await writeFully(this.#handle, this.#localHeader(entry), entry.offset)
    this.#entries.push(entry)
    return { name, size: entry.size, sha256: hash.digest('hex') }
  }

  /** Writes the directory and has everything on disk. */
  async finish(): Promise<void> {
    const start = this.#position
    for (let i = 0; i < this.#entries.length; i += 500) {
      await this.#append(Buffer.concat(this.#entries.slice(i, i + 500).map((entry) => this.#record(entry))))
    }
    await this.#append(this.#end(start))
    await this.#handle.sync()
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await writeFully(this.#handle, bytes, this.#position)
    this.#position += bytes.length
    if (this.#position - this.#syncedPosition < SYNC_EVERY_BYTES) return
    await this.#handle.datasync()
    this.#syncedPosition = this.#position
  }

  #localHeader({ name, size, crc }: DirectoryEntry): Buffer {
    const header = Buffer.alloc(30 + name.length + 20)
    header.writeUInt32LE(0x04034b50, 0)
    this.#writeCommon(header, 4, name, crc)
    header.writeUInt16LE(20, 28)
    name.copy(header, 30)
    writeSizes(header, 30 + name.length, [size, size])
    return header
  }

  #record({ name, size, crc, offset }: DirectoryEntry): Buffer {
    const record = Buffer.alloc(46 + name.length + 28)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt16LE((3 << 8) | 45, 4) // made on Unix
    this.#writeCommon(record, 6, name, crc)
    record.writeUInt16LE(28, 30)
    record.writeUInt32LE((0o100600 << 16) >>> 0, 38)
    record.writeUInt32LE(0xffffffff, 42)
    name.copy(record, 46)
    writeSizes(record, 46 + name.length, [size, size, offset])
    return record
  }

  /** What local header and directory have in common, in the same order. */
  #writeCommon(into: Buffer, at: number, name: Buffer, crc: number): void {
    into.writeUInt16LE(45, at) // needs a reader that knows the 64-bit form
    into.writeUInt16LE(0x800, at + 2) // the name is UTF-8
    into.writeUInt16LE(0, at + 4) // not compressed
    into.writeUInt16LE(this.#time, at + 6)
    into.writeUInt16LE(this.#date, at + 8)
    into.writeUInt32LE(crc, at + 10)
    into.writeUInt32LE(0xffffffff, at + 14) // the sizes are in the 64-bit field
    into.writeUInt32LE(0xffffffff, at + 18)
    into.writeUInt16LE(name.length, at + 22)
  }

  #end(start: number): Buffer {
    const end = Buffer.alloc(56 + 20 + 22)
    const count = BigInt(this.#entries.length)
    end.writeUInt32LE(0x06064b50, 0)
    end.writeBigUInt64LE(44n, 4)
    end.writeUInt16LE((3 << 8) | 45, 12)
    end.writeUInt16LE(45, 14)
    end.writeBigUInt64LE(count, 24)
    end.writeBigUInt64LE(count, 32)
    end.writeBigUInt64LE(BigInt(this.#position - start), 40)
    end.writeBigUInt64LE(BigInt(start), 48)
    end.writeUInt32LE(0x07064b50, 56)
    end.writeBigUInt64LE(BigInt(this.#position), 64)
    end.writeUInt32LE(1, 72)
    end.writeUInt32LE(0x06054b50, 76)
    end.writeUInt32LE(0xffffffff, 84)
    end.writeUInt32LE(0xffffffff, 88)
    end.writeUInt32LE(0xffffffff, 92)
    return end
  }
}

/** The 64-bit field: its number, its length, and the values that did not fit elsewhere. */
function writeSizes(into: Buffer, at: number, values: number[]): void {
  into.writeUInt16LE(1, at)
  into.writeUInt16LE(8 * values.length, at + 2)
  values.forEach((value, i) => into.writeBigUInt64LE(BigInt(value), at + 4 + 8 * i))
}

async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
