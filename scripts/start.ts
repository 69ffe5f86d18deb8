// `npm start`: the desktop window where there can be one, otherwise the same server for a browser.
import { type ChildProcess, spawn } from 'node:child_process'
import { downloadElectron, type Electron, findElectron, runsHere, sandboxSwitch } from './lib/electron.ts'
import { whyBuild } from './lib/freshness.ts'
import { root } from './lib/paths.ts'
import { runScript, untilExit } from './lib/run.ts'

const args = process.argv.slice(2)

const reason = whyBuild()
if (reason) {
  say(`building first (${reason})`)
  // stdout carries the address and nothing else.
  if (await runScript('scripts/build.ts', [], { stdio: ['ignore', 2, 2] })) process.exit(1)
}

const choice = await choose()
if (choice.electron) {
  const sandbox = sandboxSwitch()
  const note = sandbox.length > 0 ? ', without its sandbox because you are root' : ''
  say(`opening the desktop window (${choice.why}${note})`)
  const started = Date.now()
  const code = await follow(spawn(choice.electron.path, [...sandbox, root, ...args], { stdio: 'inherit' }))
  if (code === 0 || Date.now() - started > 15_000) process.exit(code)
  say(`serving without a window (the window ended at once with code ${code})`)
} else {
  say(`serving without a window (${choice.why})`)
}
process.exit(await serve())

async function choose(): Promise<{ electron?: Electron; why: string }> {
  const noDisplay = whyNoDisplay()
  if (noDisplay) return { why: noDisplay }
  const electron = findElectron() ?? (await downloadElectron(240))
  if (!electron) return { why: 'the Electron binary could not be fetched' }
  if (!runsHere(electron)) return { why: `the Electron binary at ${electron.path} does not run here` }
  return { electron, why: `Electron ${electron.version} from ${electron.origin}` }
}

function whyNoDisplay(): string | undefined {
  if (process.platform === 'darwin' || process.platform === 'win32') return undefined
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  return DISPLAY || WAYLAND_DISPLAY ? undefined : 'no display: neither DISPLAY nor WAYLAND_DISPLAY is set'
}

async function serve(): Promise<number> {
  const child = spawn(process.execPath, ['bin/parley.js', 'serve', ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    printed += chunk.toString()
    const ready = /^parley ready (\{.*\})\n/m.exec(printed)?.[1]
    if (!ready) return
    printed = ''
    const { adminUrl } = JSON.parse(ready) as { adminUrl: string }
    say(`open ${adminUrl}`)
  })
  return follow(child)
}

/** Until it ends; what we are told to do, it is told. */
function follow(child: ChildProcess): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both of us; then staying here until the server has drained is all there is to do.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  return untilExit(child)
}

function say(line: string): void {
  console.error(`parley: ${line}`)
}
