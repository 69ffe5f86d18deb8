import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  DataFolderError,
  DataFolderInUseError,
  type LockHolder,
  openDataFolder,
  readLock,
} from './data-folder.ts'

let folder: string
let lock: string

beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-folder-')), 'data')
  lock = path.join(folder, 'parley.lock')
})

afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true }))

const holderOnDisk = (): LockHolder => JSON.parse(fs.readFileSync(lock, 'utf8'))

/** No process has this number: Linux stops at 4,194,304. */
const nobody = 2 ** 22 + 1

function leaveLock(changes: Partial<LockHolder>): void {
  const holder: LockHolder = {
    pid: nobody,
    hostname: os.hostname(),
    startedAt: '2026-01-01T00:00:00.000Z',
    processStart: null,
    instance: 'another',
    url: 'http://127.0.0.1:9870',
    token: 'old',
    ...changes,
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(lock, JSON.stringify(holder))
}

test('the folder is made for its owner alone, and given back', async () => {
  const data = await openDataFolder(folder)
  expect(data.database).toBe(path.join(folder, 'parley.db'))
  expect(holderOnDisk()).toMatchObject({ pid: process.pid, hostname: os.hostname(), url: null, token: null })
  if (process.platform !== 'win32') {
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    expect(fs.statSync(lock).mode & 0o777).toBe(0o600)
  }
  data.release()
  expect(fs.readdirSync(folder)).toEqual([])
  expect(readLock(folder)).toBeNull()
})

test('a second holder is refused and told who the first is', async () => {
  const data = await openDataFolder(folder)
  data.announce({ url: 'http://127.0.0.1:1', token: 'secret' })
  const refusal = await openDataFolder(folder).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DataFolderInUseError)
  expect(refusal).toMatchObject({ holder: { pid: process.pid, url: 'http://127.0.0.1:1', token: 'secret' } })
  expect(readLock(folder)).toMatchObject({ url: 'http://127.0.0.1:1' })
  expect(fs.readdirSync(folder)).toEqual(['parley.lock'])
  data.release()
})

test('a folder that cannot be one is an error that says so', async () => {
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  fs.writeFileSync(folder, '')
  await expect(openDataFolder(folder)).rejects.toThrow(DataFolderError)
  await expect(openDataFolder(folder)).rejects.toThrow('it is not a folder')
  await expect(openDataFolder(path.join(folder, 'below'))).rejects.toThrow('it is not a folder')
})

test('what is no longer ours is neither announced in nor removed', async () => {
  const data = await openDataFolder(folder)
  leaveLock({ pid: process.ppid })
  expect(() => data.announce({ url: 'x', token: 'y' })).toThrow(DataFolderError)
  data.release()
  expect(holderOnDisk().pid).toBe(process.ppid)
})

describe('a lock left behind', () => {
  const isTaken = async () => {
    const data = await openDataFolder(folder, { patience: 400 }).catch(() => null)
    data?.release()
    return data !== null
  }

  test('by a process that is dead is taken over', async () => {
    leaveLock({})
    expect(readLock(folder)).toBeNull()
    const data = await openDataFolder(folder)
    expect(holderOnDisk()).toMatchObject({ pid: process.pid, url: null, token: null })
    expect(fs.readdirSync(folder)).toEqual(['parley.lock'])
    data.release()
  })

  test('by a process whose number another one has now is taken over', async () => {
    leaveLock({ pid: process.pid, processStart: process.platform === 'linux' ? '1' : null })
    expect(await isTaken()).toBe(true)
  })

  test('by a process that lives is respected', async () => {
    leaveLock({ pid: process.ppid })
    expect(await isTaken()).toBe(false)
  })

  const touch = (secondsAgo: number) => {
    const at = new Date(Date.now() - secondsAgo * 1000)
    fs.utimesSync(lock, at, at)
  }

  test('by another machine is respected when it was touched lately', async () => {
    leaveLock({ hostname: 'elsewhere.invalid' })
    expect(await isTaken()).toBe(false)
  })

  test.each([
    ['long ago', 31],
    ['before the clock was set back', -86_400],
  ])('by another machine, touched %s, is taken over if nobody touches it', async (_when, seconds) => {
    leaveLock({ hostname: 'elsewhere.invalid' })
    touch(seconds)
    expect(await isTaken()).toBe(true)
  })

  test('by another machine whose clock is wrong is respected as long as it is touched', async () => {
    leaveLock({ hostname: 'elsewhere.invalid' })
    touch(3600)
    const toucher = setInterval(() => touch(3600 + Math.random()), 100)
    expect(await isTaken()).toBe(false)
    clearInterval(toucher)
  })

  test.each([11, -86_400])('empty by a power loss, %d s ago by the clock, is taken over', async (seconds) => {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(lock, '')
    touch(seconds)
    expect(await isTaken()).toBe(true)
  })

  test('in the middle of a takeover is taken over', async () => {
    leaveLock({})
    fs.copyFileSync(lock, `${lock}.takeover`)
    expect(await isTaken()).toBe(true)
    expect(fs.readdirSync(folder)).toEqual([])
  })
})

test('of eight that start together exactly one wins, on a free folder and on a dead lock', async () => {
  const locker = fileURLToPath(new URL('./test-locker.ts', import.meta.url))
  const children = Array.from({ length: 8 }, () => {
    const child = spawn(process.execPath, ['--import', 'tsx', locker], { stdio: ['pipe', 'pipe', 'inherit'] })
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
  })
  const answers = () => Promise.all(children.map(async ({ lines }) => (await lines.next()).value))
  const parent = folder
  await answers() // all are ready
  for (let round = 0; round < 40; round++) {
    folder = path.join(parent, String(round))
    lock = path.join(folder, 'parley.lock')
    if (round % 2 === 1) leaveLock({})
    for (const { child } of children) child.stdin.write(`${folder}\n`)
    expect((await answers()).sort()).toEqual([...Array.from({ length: 7 }, () => 'lost'), 'won'])
    expect(fs.readdirSync(folder)).toEqual(['parley.lock'])
  }
  folder = parent
  await Promise.all(
    children.map(({ child }) => new Promise((resolve) => child.on('close', resolve).stdin.end())),
  )
}, 30_000)
