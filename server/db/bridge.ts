// SQLite on a real file, with sql.js as it comes. The C library's calls on a database file are answered by
// node:fs; every other file (temporary ones, mostly) stays in the memory file system that sql.js brings along.
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import initSqlJs from 'sql.js'
import type { DiskFiles, OpenFile, Suffix } from './disk-files.ts'
import { errorCode, type FileStat } from './file-calls.ts'

export type SqlJsDatabase = InstanceType<Awaited<ReturnType<typeof initSqlJs>>['Database']>

/** The import letters below belong to this build alone: a new sql.js means finding them again. */
const knownBuild = '43bbcdd44287e5a2db3b6b5af34b1a3485a7a441285d247976c1ebe3c61f8dbf'

/** sql.js's one-letter names in build 1.16.0. */
const letters = {
  openat: 'x',
  fstat: 'g',
  stat: 'N',
  lstat: 'M',
  newfstatat: 'L',
  ftruncate: 'J',
  unlinkat: 'o',
  faccessat: 'D',
  fcntl: 'b',
  fchmod: 'j',
  fchown: 'h',
  fd_close: 'e',
  fd_read: 't',
  fd_write: 'q',
  fd_seek: 'E',
  fd_sync: 'K',
} as const
const memoryLetter = 'O'

/** `F_GETLK` and `F_UNLCK` of Linux. */
const getLock = 12
const unlocked = 2

/** Error numbers as Emscripten's C library counts them; what is not listed reaches SQLite as an I/O error. */
const errorNumbers: Record<string, number> = {
  EACCES: 2,
  EAGAIN: 6,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINTR: 27,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOLCK: 46,
  ENOMEM: 48,
  ENOSPC: 51,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
  ETXTBSY: 74,
}

/** SQLite was compiled for Linux's flag values; other systems have others. */
const openFlags: readonly (readonly [linux: number, here: number])[] = [
  [0o1, constants.O_WRONLY],
  [0o2, constants.O_RDWR],
  [0o100, constants.O_CREAT],
  [0o200, constants.O_EXCL],
  [0o1000, constants.O_TRUNC],
]

/** Far above the numbers that sql.js's own file system hands out, so that one look tells whose file it is. */
const firstDescriptor = 1 << 20

type Imported = (...args: never[]) => number

export function wasmFile(): string {
  // Beside the bundle, or above it where the bundler has put this module into a chunk.
  for (const place of ['./sql-wasm.wasm', '../sql-wasm.wasm']) {
    const file = fileURLToPath(new URL(place, import.meta.url))
    if (existsSync(file)) return file
  }
  return createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm')
}

export async function readWasm(file: string): Promise<Buffer<ArrayBuffer>> {
  const bytes = await readFile(file)
  if (createHash('sha256').update(bytes).digest('hex') !== knownBuild) {
    throw new Error(`${file} is not the SQLite build of sql.js 1.16.0, the only one that Parley can use.`)
  }
  return bytes
}

let loading: Promise<Bridge> | undefined

/** SQLite itself, once per process: sql.js keeps a single instance, and any number of databases share it. */
export function loadSqlite(wasm: string = wasmFile()): Promise<Bridge> {
  loading ??= load(wasm).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(wasm: string): Promise<Bridge> {
  const compiled = await WebAssembly.compile(await readWasm(wasm))
  const config = {
    bridge: new Bridge(),
    // Without it sql.js puts its own, older versions over SQLite's functions.
    useOldExtensionFunctions: false,
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(compiled, config.bridge.answering(imports))
      config.bridge.memory = instance.exports[memoryLetter] as WebAssembly.Memory
      done(instance)
      return instance.exports
    },
  }
  // sql.js hands back the configuration of its very first caller, filled in.
  const sqlJs = (await initSqlJs(config)) as Awaited<ReturnType<typeof initSqlJs>> & { bridge: Bridge }
  sqlJs.bridge.construct = () => new sqlJs.Database()
  return sqlJs.bridge
}

export class Bridge {
  memory!: WebAssembly.Memory
  construct!: () => SqlJsDatabase
  readonly #disks = new Map<string, DiskFiles>()
  readonly #files: (OpenFile | undefined)[] = []
  #opening: DiskFiles | null = null
  #bytes = new Uint8Array()
  #view = new DataView(new ArrayBuffer(0))

  /** sql.js invents the name `dbfile_<number>`; the first such name that SQLite now asks for is this database. */
  open(disk: DiskFiles): SqlJsDatabase {
    this.#opening = disk
    try {
      const database = this.construct()
      if (this.#opening) throw new Error('SQLite did not ask for its database file')
      return database
    } finally {
      this.#opening = null
    }
  }

  close(database: SqlJsDatabase, disk: DiskFiles): void {
    try {
      database.close()
    } catch (error) {
      // Its last step removes the file from the memory file system, where ours has never been.
      if ((error as { name?: unknown }).name !== 'ErrnoError') throw error
    }
    for (const [name, owner] of this.#disks) if (owner === disk) this.#disks.delete(name)
  }

  answering(imports: WebAssembly.Imports): WebAssembly.Imports {
    const original = imports.a as Record<string, Imported>
    const ours = { ...original }
    for (const [call, answer] of Object.entries(this.#answers(original))) {
      ours[letters[call as keyof typeof letters]] = answer
    }
    return { ...imports, a: ours }
  }

  /**
   * Each answer takes what concerns a database file and passes the rest on. System calls report an error as a
   * negative number, the `fd_` calls as a positive one: that is how Emscripten defines them.
   */
  #answers(original: Record<string, Imported>): Record<keyof typeof letters, Imported> {
    /** A call that names a file, as its argument number `at`. */
    const named = (
      call: keyof typeof letters,
      at: 0 | 1,
      answer: (disk: DiskFiles, suffix: Suffix, args: number[]) => number,
    ): Imported => {
      const passOn = original[letters[call]] as (...args: number[]) => number
      return (...args: number[]) => {
        const target = this.#target(args[at] ?? 0)
        if (!target) return passOn(...args)
        try {
          return answer(target.disk, target.suffix, args)
        } catch (error) {
          return -errorNumber(target.disk, error)
        }
      }
    }
    /** A call on an open file. */
    const onFile = (
      call: keyof typeof letters,
      sign: 1 | -1,
      answer: (file: OpenFile, ...args: [never, never, never]) => void,
    ): Imported => {
      const passOn = original[letters[call]] as (fd: number, ...args: [never, never, never]) => number
      return (fd: number, a: never, b: never, c: never) => {
        const file = fd < firstDescriptor ? undefined : this.#files[fd - firstDescriptor]
        if (!file) return passOn(fd, a, b, c)
        try {
          answer(file, a, b, c)
          return 0
        } catch (error) {
          return sign * errorNumber(file.disk, error)
        }
      }
    }

    return {
      openat: named('openat', 1, (disk, suffix, [, , flags = 0]) => {
        return this.#keep(disk.open(suffix, translateFlags(flags)))
      }),
      stat: named('stat', 0, (disk, suffix, [, at = 0]) => this.#putStat(at, disk, disk.stat(suffix))),
      lstat: named('lstat', 0, (disk, suffix, [, at = 0]) => this.#putStat(at, disk, disk.stat(suffix))),
      newfstatat: named('newfstatat', 1, (disk, suffix, [, , at = 0]) =>
        this.#putStat(at, disk, disk.stat(suffix)),
      ),
      faccessat: named('faccessat', 1, (disk, suffix, [, , mode = 0]) => {
        disk.access(suffix, mode)
        return 0
      }),
      unlinkat: named('unlinkat', 1, (disk, suffix) => {
        disk.unlink(suffix)
        return 0
      }),
      fstat: onFile('fstat', -1, (file, at: number) => {
        this.#putStat(at, file.disk, file.stat())
      }),
      ftruncate: onFile('ftruncate', -1, (file, size: bigint) => file.disk.truncate(file, Number(size))),
      // SQLite's locks always succeed: the data folder's lock file keeps other processes out.
      fcntl: onFile('fcntl', -1, (_file, command: number, varargs: number) => {
        const view = this.#refresh()
        // Asked who holds a lock, say that nobody does: otherwise a journal left by a crash is never rolled back.
        if (command === getLock) view.setInt16(view.getUint32(varargs, true), unlocked, true)
      }),
      // Owner and mode stay as they were at creation.
      fchmod: onFile('fchmod', -1, () => {}),
      fchown: onFile('fchown', -1, () => {}),
      fd_close: onFile('fd_close', 1, (file) => {
        this.#files[this.#files.indexOf(file)] = undefined
        file.disk.close(file)
      }),
      fd_seek: onFile('fd_seek', 1, (file, offset: bigint, whence: number, at: number) => {
        file.position = Number(offset) + (whence === 1 ? file.position : whence === 2 ? file.size() : 0)
        this.#refresh().setBigInt64(at, BigInt(file.position), true)
      }),
      fd_read: onFile('fd_read', 1, (file, parts: number, count: number, at: number) => {
        this.#transfer(parts, count, at, (bytes) => file.disk.read(file, bytes))
      }),
      fd_write: onFile('fd_write', 1, (file, parts: number, count: number, at: number) => {
        this.#transfer(parts, count, at, (bytes) => file.disk.write(file, bytes))
      }),
      fd_sync: onFile('fd_sync', 1, (file) => file.disk.sync(file)),
    }
  }

  /** The memory is replaced by a larger one whenever SQLite needs more. */
  #refresh(): DataView {
    if (this.#bytes.buffer !== this.memory.buffer) {
      this.#bytes = new Uint8Array(this.memory.buffer)
      this.#view = new DataView(this.memory.buffer)
    }
    return this.#view
  }

  #target(namePointer: number): { disk: DiskFiles; suffix: Suffix } | null {
    this.#refresh()
    const name = this.#bytes.subarray(namePointer, this.#bytes.indexOf(0, namePointer))
    const [, base, suffix = ''] = /^\/?(dbfile_\d+)(-wal|-journal)?$/.exec(Buffer.from(name).toString()) ?? []
    if (!base) return null
    if (this.#opening) {
      this.#disks.set(base, this.#opening)
      this.#opening = null
    }
    const disk = this.#disks.get(base)
    return disk ? { disk, suffix: suffix as Suffix } : null
  }

  #keep(file: OpenFile): number {
    const free = this.#files.indexOf(undefined)
    const index = free < 0 ? this.#files.length : free
    this.#files[index] = file
    return firstDescriptor + index
  }

  /** Reads or writes the parts (pointer and length each) in turn, up to the first that is not done in full. */
  #transfer(parts: number, count: number, at: number, move: (bytes: Uint8Array) => number): void {
    const view = this.#refresh()
    let total = 0
    for (let part = parts; part < parts + 8 * count; part += 8) {
      const pointer = view.getUint32(part, true)
      const length = view.getUint32(part + 4, true)
      const moved = move(this.#bytes.subarray(pointer, pointer + length))
      total += moved
      if (moved < length) break
    }
    view.setUint32(at, total, true)
  }

  /**
   * Emscripten's `struct stat`. Times stay zero: SQLite never asks for them. It tells files apart by device and
   * number, and makes all that open the same one share its locks; each opening of ours counts as a device, because
   * a file may be opened anew before the old connection, which writes no more, is given up.
   */
  #putStat(at: number, disk: DiskFiles, stat: FileStat): 0 {
    const view = this.#refresh()
    this.#bytes.fill(0, at, at + 96)
    view.setUint32(at, disk.id, true)
    view.setUint32(at + 4, Number(stat.mode), true)
    view.setUint32(at + 8, Number(stat.nlink), true)
    view.setBigInt64(at + 24, stat.size, true)
    view.setUint32(at + 32, 4096, true)
    view.setBigInt64(at + 88, BigInt.asIntN(64, stat.ino), true)
    return 0
  }
}

function errorNumber(disk: DiskFiles, error: unknown): number {
  disk.noteError(error)
  return errorNumbers[errorCode(error)] ?? 29
}

function translateFlags(linux: number): number {
  return openFlags.reduce((flags, [bit, here]) => (linux & bit ? flags | here : flags), 0)
}
