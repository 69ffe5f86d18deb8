/** Processes of the bench: none outlives it, and none runs on for ever. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const running = new Set<ChildProcess>()
const leftovers: (() => void)[] = []
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const remove of leftovers) remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

function keep<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Has something removed when the bench ends and all its processes have. */
export const atTheEnd = (remove: () => void): void => void leftovers.push(remove)

/** Whatever hangs, the bench ends. */
export function stopAfter(seconds: number): void {
  const timer = setTimeout(() => {
    console.error(`gave up after ${seconds} s`)
    process.exit(1)
  }, seconds * 1000)
  timer.unref()
}

export interface Program {
  pid: number
  /** What it printed when it was ready. */
  line: string
  /** From its start to that line. */
  readyMs: number
  stop: () => Promise<void>
}

/** Runs Node until it prints a line with `word`, and leaves it running. */
export async function startNode(args: string[], word: string): Promise<Program> {
  const begun = performance.now()
  const child = keep(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }))
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`node ${args.join(' ')} ended with code ${code}`)))
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes(word)) resolve(line)
    })
  })
  return { pid: child.pid ?? 0, line, readyMs: performance.now() - begun, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await gone
  clearTimeout(timer)
}

/** A function of another process that answers, or that went on to serve at the address it answered. */
export interface Served<Result> {
  pid: number
  result: Result
  stop: () => Promise<void>
}

/**
 * Calls a function in a process of its own, so that it and the server do not share an event loop. The process goes
 * on until it is stopped: a function that starts a server answers its address.
 * @param file `import.meta.url` of the module that exports `fn`
 */
export async function serveInChild<Args, Result>(
  file: string,
  fn: (args: Args) => Result | Promise<Result>,
  args: Args,
): Promise<Served<Result>> {
  const child = keep(fork(fileURLToPath(new URL('child.ts', import.meta.url))))
  child.send({ file, name: fn.name, args })
  const result = await new Promise<Result>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${fn.name} ended with code ${code}`)))
    child.once('message', (message) => resolve((message as { result: Result }).result))
  })
  return { pid: child.pid ?? 0, result, stop: () => stop(child) }
}

/** {@link serveInChild} for a function that is done when it answers. */
export async function inChild<Args, Result>(
  file: string,
  fn: (args: Args) => Result | Promise<Result>,
  args: Args,
): Promise<Result> {
  const { result, stop } = await serveInChild(file, fn, args)
  await stop()
  return result
}
