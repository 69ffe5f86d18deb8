import { type ChildProcess, spawn } from 'node:child_process'

export type Display = { env: NodeJS.ProcessEnv; close(): void }

/** A screen that nobody sees. Xvfb itself picks a number that is free and says which. */
export async function openVirtualDisplay(xvfb: string): Promise<Display> {
  const screen = ['-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const child = spawn(xvfb, ['-displayfd', '3', ...screen], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await firstOutput(child)
  const env: NodeJS.ProcessEnv = { ...process.env, DISPLAY: `:${number}` }
  // Otherwise Chromium could open its window on a real screen after all.
  delete env.WAYLAND_DISPLAY
  return { env, close: () => child.kill() }
}

function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}`)))
    child.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
  })
}
