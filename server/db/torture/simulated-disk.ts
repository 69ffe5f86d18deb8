// A disk in memory that remembers the order of all that was done to it: it can be rebuilt as a power loss may
// have left it, and made to fail at any call.
import { constants } from 'node:fs'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { FileCalls, FileStat } from '../file-calls.ts'
import type { Random } from './random.ts'

const sector = 512

class Inode {
  bytes: Uint8Array
  size: number

  constructor(
    readonly number: number,
    content: Uint8Array = new Uint8Array(),
  ) {
    this.bytes = content.slice()
    this.size = content.length
  }

  write(bytes: Uint8Array, position: number): void {
    this.resize(Math.max(this.size, position + bytes.length))
    this.bytes.set(bytes, position)
  }

  resize(size: number): void {
    if (size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.bytes.length))
      larger.set(this.bytes.subarray(0, this.size))
      this.bytes = larger
    }
    if (size < this.size) this.bytes.fill(0, size, this.size)
    this.size = size
  }

  content(): Uint8Array {
    return this.bytes.slice(0, this.size)
  }
}

type DataChange =
  | { kind: 'write'; inode: number; position: number; bytes: Uint8Array }
  | { kind: 'truncate'; inode: number; size: number }
type NameChange =
  | { kind: 'create'; name: string; inode: number }
  | { kind: 'unlink'; name: string }
  | { kind: 'rename'; from: string; to: string }
type Change =
  | DataChange
  | NameChange
  /** Covers what was done to the file before the change number `began`. */
  | { kind: 'sync'; inode: number; began: number; worked: boolean }
  | { kind: 'sync folder' }
  /** Something that was promised: it must be true of every later state. */
  | { kind: 'promise'; value: number }

export interface Fault {
  /** How many calls of the kind work before one fails. */
  after: number
  code: string
  /** Whether all later calls of the kind fail too. */
  lasting: boolean
  /** Which calls can fail; null: all. */
  calls: ReadonlySet<keyof FileCalls> | null
}

/** How much of what was not synced has reached the disk. */
export const losses = ['all', 'none', 'some writes', 'some sectors', 'an early part', 'a late part'] as const
export type Loss = (typeof losses)[number]

export class SimulatedDisk implements FileCalls {
  readonly changes: Change[] = []
  /** How often a call was made to fail. */
  failures = 0
  fault: Fault | null = null
  readonly #counts = new Map<keyof FileCalls, number>()
  readonly #initial: Map<string, Uint8Array>
  readonly #names = new Map<string, Inode>()
  readonly #open = new Map<number, Inode>()
  #inodes = 0
  #descriptors = 2

  constructor(files: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.#initial = new Map(files)
    for (const [name, content] of files) this.#names.set(name, new Inode(this.#inodes++, content))
  }

  /** The files as the processes of this machine see them: what a killed one leaves. */
  files(): Map<string, Uint8Array> {
    return new Map([...this.#names].map(([name, inode]) => [name, inode.content()]))
  }

  /** How many calls of these kinds were made. */
  count(calls: ReadonlySet<keyof FileCalls> | null): number {
    let count = 0
    for (const [call, times] of this.#counts) if (!calls || calls.has(call)) count += times
    return count
  }

  promise(value: number): void {
    this.changes.push({ kind: 'promise', value })
  }

  /** What has been promised when that many changes were made. */
  promisedAt(point: number): number {
    let promised = 0
    for (const change of this.changes.slice(0, point)) {
      if (change.kind === 'promise') promised = Math.max(promised, change.value)
    }
    return promised
  }

  /** The files as a killed process leaves them when it had made that many changes. */
  filesAt(point: number): Map<string, Uint8Array> {
    return this.#rebuild(point, () => true, Infinity)
  }

  /** The files as a power loss after that many changes may leave them. */
  filesAfterPowerLoss(point: number, loss: Loss, random: Random): Map<string, Uint8Array> {
    const pending = this.#pendingAt(point)
    const border = random.below(pending.data.length + 1)
    const order = new Map(pending.data.map((index, i) => [index, i]))
    const survives = (index: number): boolean | 'torn' => {
      const place = order.get(index)
      if (place === undefined || loss === 'none') return true
      if (loss === 'all') return false
      if (loss === 'an early part') return place < border
      if (loss === 'a late part') return place >= border
      return loss === 'some sectors' ? 'torn' : random.chance(0.5)
    }
    // Names change in their order: every journaling file system does that much.
    const names = { all: 0, none: pending.names }[loss as string] ?? random.below(pending.names + 1)
    return this.#rebuild(point, survives, names, random)
  }

  #pendingAt(point: number): { data: number[]; names: number } {
    let names = 0
    const pending = new Map<number, number[]>()
    const lost: number[] = []
    for (const [index, change] of this.changes.slice(0, point).entries()) {
      if (change.kind === 'write' || change.kind === 'truncate') {
        pending.set(change.inode, [...(pending.get(change.inode) ?? []), index])
      } else if (change.kind === 'sync') {
        const before = pending.get(change.inode) ?? []
        // After a failed sync the system counts as written what is not: no later sync makes up for it.
        if (!change.worked) lost.push(...before.filter((each) => each < change.began))
        pending.set(
          change.inode,
          before.filter((each) => each >= change.began),
        )
      } else if (change.kind === 'sync folder') names = 0
      else if (change.kind !== 'promise') names++
    }
    return { data: [...lost, ...[...pending.values()].flat()].sort((a, b) => a - b), names }
  }

  #rebuild(
    point: number,
    survives: (index: number) => boolean | 'torn',
    pendingNames: number,
    random?: Random,
  ): Map<string, Uint8Array> {
    const inodes = new Map<number, Inode>()
    const names = new Map<string, Inode>()
    let number = 0
    for (const [name, content] of this.#initial) {
      const inode = new Inode(number++, content)
      inodes.set(inode.number, inode)
      names.set(name, inode)
    }
    const changes = this.changes.slice(0, point)
    const lastFolderSync = changes.findLastIndex(({ kind }) => kind === 'sync folder')
    let namesLeft = pendingNames
    for (const [index, change] of changes.entries()) {
      switch (change.kind) {
        case 'create': {
          const inode = new Inode(change.inode)
          inodes.set(change.inode, inode)
          if (index < lastFolderSync || namesLeft-- > 0) names.set(change.name, inode)
          break
        }
        case 'unlink':
          if (index < lastFolderSync || namesLeft-- > 0) names.delete(change.name)
          break
        case 'rename': {
          const inode = names.get(change.from)
          if (!(index < lastFolderSync || namesLeft-- > 0) || !inode) break
          names.set(change.to, inode)
          names.delete(change.from)
          break
        }
        case 'write':
        case 'truncate': {
          const how = survives(index)
          const inode = inodes.get(change.inode)
          if (inode && how !== false) apply(inode, change, how === 'torn' ? random : undefined)
          break
        }
        default:
      }
    }
    return new Map([...names].map(([name, inode]) => [name, inode.content()]))
  }

  /** Counts a call, and fails it when its time has come. */
  #call(call: keyof FileCalls): void {
    this.#counts.set(call, (this.#counts.get(call) ?? 0) + 1)
    const { fault } = this
    if (!fault || (fault.calls && !fault.calls.has(call))) return
    if (fault.after-- > 0 || (!fault.lasting && this.failures > 0)) return
    this.failures++
    throw failure(fault.code)
  }

  open(file: string, flags: number): number {
    this.#call('open')
    let inode = this.#names.get(file)
    if (inode && flags & constants.O_EXCL) throw failure('EEXIST')
    if (!inode) {
      if (!(flags & constants.O_CREAT)) throw failure('ENOENT')
      inode = new Inode(this.#inodes++)
      this.#names.set(file, inode)
      this.changes.push({ kind: 'create', name: file, inode: inode.number })
    }
    const descriptor = ++this.#descriptors
    this.#open.set(descriptor, inode)
    if (flags & constants.O_TRUNC && inode.size > 0) this.#truncate(inode, 0)
    return descriptor
  }

  close(descriptor: number): void {
    // A file is closed whatever the system says.
    if (!this.#open.delete(descriptor)) throw failure('EBADF')
  }

  read(descriptor: number, into: Uint8Array, position: number): number {
    this.#call('read')
    const { bytes, size } = this.#inode(descriptor)
    const found = bytes.subarray(Math.min(position, size), Math.min(position + into.length, size))
    into.set(found)
    return found.length
  }

  write(descriptor: number, bytes: Uint8Array, position: number): number {
    const inode = this.#inode(descriptor)
    try {
      this.#call('write')
    } catch (error) {
      // A failed write may have written something.
      this.#write(inode, bytes.slice(0, bytes.length >> 1), position)
      throw error
    }
    this.#write(inode, bytes.slice(), position)
    return bytes.length
  }

  truncate(descriptor: number, size: number): void {
    this.#call('truncate')
    this.#truncate(this.#inode(descriptor), size)
  }

  stat(file: string | number): FileStat {
    this.#call('stat')
    if (typeof file === 'string' && [...this.#names.keys()].some((name) => path.dirname(name) === file)) {
      return { dev: 1n, ino: 0n, mode: 0o40700n, nlink: 2n, size: 0n, mtimeNs: 0n }
    }
    const inode = typeof file === 'number' ? this.#inode(file) : this.#named(file)
    const isNamed = [...this.#names.values()].includes(inode)
    return {
      dev: 1n,
      ino: BigInt(inode.number + 1),
      mode: 0o100600n,
      nlink: isNamed ? 1n : 0n,
      size: BigInt(inode.size),
      mtimeNs: BigInt(this.changes.length),
    }
  }

  access(file: string): void {
    this.#call('access')
    this.#named(file)
  }

  unlink(file: string): void {
    this.#call('unlink')
    this.#named(file)
    this.#names.delete(file)
    this.changes.push({ kind: 'unlink', name: file })
  }

  rename(from: string, to: string): void {
    this.#call('rename')
    this.#names.set(to, this.#named(from))
    this.#names.delete(from)
    this.changes.push({ kind: 'rename', from, to })
  }

  fsync(descriptor: number): void {
    const { number } = this.#inode(descriptor)
    this.#sync('fsync', number, this.changes.length)
  }

  async fdatasync(descriptor: number): Promise<void> {
    const { number } = this.#inode(descriptor)
    const began = this.changes.length
    // A sync takes its time, in which there are more commits.
    for (let i = 0; i < 3; i++) await turn()
    this.#sync('fdatasync', number, began)
  }

  syncFolder(): void {
    this.#call('syncFolder')
    this.changes.push({ kind: 'sync folder' })
  }

  #sync(call: 'fsync' | 'fdatasync', inode: number, began: number): void {
    try {
      this.#call(call)
    } catch (error) {
      this.changes.push({ kind: 'sync', inode, began, worked: false })
      throw error
    }
    this.changes.push({ kind: 'sync', inode, began, worked: true })
  }

  #write(inode: Inode, bytes: Uint8Array, position: number): void {
    inode.write(bytes, position)
    this.changes.push({ kind: 'write', inode: inode.number, position, bytes })
  }

  #truncate(inode: Inode, size: number): void {
    inode.resize(size)
    this.changes.push({ kind: 'truncate', inode: inode.number, size })
  }

  #inode(descriptor: number): Inode {
    const inode = this.#open.get(descriptor)
    if (!inode) throw failure('EBADF')
    return inode
  }

  #named(file: string): Inode {
    const inode = this.#names.get(file)
    if (!inode) throw failure('ENOENT')
    return inode
  }
}

/** With `random` only some sectors of a write arrive, and a change of size may not. */
function apply(inode: Inode, change: DataChange, random?: Random): void {
  if (change.kind === 'truncate') {
    if (!random || random.chance(0.5)) inode.resize(change.size)
    return
  }
  const { bytes, position } = change
  if (!random) return inode.write(bytes, position)
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + sector - ((position + at) % sector))
    if (random.chance(0.5)) inode.write(bytes.subarray(at, end), position + at)
    at = end
  }
}

const failure = (code: string): Error => Object.assign(new Error(`${code}, as the test wants`), { code })
