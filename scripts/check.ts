// `npm run check`: types, lint, format and unit tests, side by side; what failed is shown whole. `-- --no-unit`
// leaves the unit tests to somebody who ran them already.
import { spawn } from 'node:child_process'
import { root } from './lib/paths.ts'
import { packageCommand, untilExit } from './lib/run.ts'

const checks: Record<string, string[]> = {
  types: [packageCommand('typescript', 'tsc'), '--noEmit'],
  lint: [packageCommand('oxlint'), '--type-aware', '--deny-warnings'],
  format: [packageCommand('@biomejs/biome', 'biome'), 'format', '.'],
  unit: [packageCommand('vitest'), 'run'],
}
if (process.argv.includes('--no-unit')) delete checks.unit

const outcomes = await Promise.all(
  Object.entries(checks).map(async ([name, args]) => {
    const started = Date.now()
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    const code = await untilExit(child)
    if (code !== 0) console.log(`\n== ${name}\n${output}`)
    return { name, code, seconds: (Date.now() - started) / 1000 }
  }),
)
console.log('')
for (const { name, code, seconds } of outcomes) {
  console.log(`${name.padEnd(8)} ${code === 0 ? 'passed' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s`)
}
process.exit(outcomes.some(({ code }) => code !== 0) ? 1 : 0)
