// Running other programs: the few ways in which the scripts need it.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { root } from './paths.ts'

/** Where a program is on the PATH. */
export function findCommand(name: string): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    for (const suffix of suffixes) {
      const path = join(dir, name + suffix)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // Not here.
      }
    }
  }
  return undefined
}

/** The script behind a package's command, to be run with this very Node and without a shell. */
export function packageCommand(name: string, command = name): string {
  const manifestFile = join(root, 'node_modules', name, 'package.json')
  const manifest = createRequire(import.meta.url)(manifestFile) as { bin: string | Record<string, string> }
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[command]
  if (!bin) throw new Error(`${name} has no command ${command}`)
  return join(dirname(manifestFile), bin)
}

/** Runs a program to its end, in the checkout, showing what it prints. */
export async function run(command: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  return untilExit(spawn(command, args, { cwd: root, stdio: 'inherit', ...options }))
}

/** Runs one of our TypeScript scripts. */
export function runScript(path: string, args: string[] = [], options: SpawnOptions = {}): Promise<number> {
  return run(process.execPath, [packageCommand('tsx'), join(root, path), ...args], options)
}

/** The exit code; 127 where the program could not be started, 128 + n where a signal ended it. */
export function untilExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

/** Whether a program runs at all, within a few seconds. */
export function works(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
}
