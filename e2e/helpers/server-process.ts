import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/lib/paths.ts'
import { untilExit } from '../../scripts/lib/run.ts'

export type RunningServer = {
  url: string
  /** The link that signs its opener in. */
  adminUrl: string
  pid: number
  /** Asks for a clean stop and waits for it. */
  stop(): Promise<number>
  log(): string
}

type Ready = Pick<RunningServer, 'url' | 'adminUrl' | 'pid'>

export async function startServer(dataDir: string, options: string[] = []): Promise<RunningServer> {
  const args = ['bin/parley.js', 'serve', '--port', '0', '--dev', '--data-dir', dataDir, ...options]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = untilExit(child)
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const ready = await new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const json = /^parley ready (\{.*\})$/.exec(line)?.[1]
      if (json) resolve(JSON.parse(json) as Ready)
    })
    void exit.then((code) => reject(new Error(`the server ended with code ${code}:\n${log}`)))
  })
  return {
    ...ready,
    log: () => log,
    stop() {
      child.kill('SIGTERM')
      return exit
    },
  }
}
