// `npm run bench`: measures the server beside bare Node in the same run, because machines drift and ratios hold.
// Every file of this folder is one measurement: adding one is adding a file that exports `title` and `measure`.
import { readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { whyBuild } from '../scripts/lib/freshness.ts'
import { runScript } from '../scripts/lib/run.ts'
import type { Measurement } from './lib/figures.ts'
import { machine, machineLine } from './lib/machine.ts'
import { writeProfilesTo } from './lib/parley.ts'
import { stopAfter } from './lib/processes.ts'
import { printTable } from './lib/table.ts'

const usage = `usage: npm run bench -- [MEASUREMENT…] [--long] [--json FILE] [--profile FOLDER]
  --long             five minutes of writing where it is about pauses, and a backup of 1 GB
  --json FILE        also write every figure into FILE
  --profile FOLDER   also write a CPU profile of every server that was measured; its figures are slower
  TMPDIR             chooses the disk that the data folders are on`

const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted()
const { json, profile, long, wanted } = parseCommandLine()

if (whyBuild() && (await runScript('scripts/build.ts', ['server'], { stdio: ['ignore', 2, 2] })) !== 0) {
  process.exit(1)
}
stopAfter(long ? 40 * 60 : 15 * 60)
if (profile) writeProfilesTo(profile)

const started = Date.now()
const measured: Record<string, { title: string; figures: unknown[] }> = {}
console.log(machineLine())
console.log('ratio: Parley divided by bare node, as measured in this run')
for (const name of wanted) {
  const { title, measure } = (await import(`./${name}.ts`)) as Measurement
  const begun = Date.now()
  const figures = (await measure()).filter(({ parley }) => !Number.isNaN(parley))
  measured[name] = { title, figures }
  printTable(`${name}: ${title} (${secondsSince(begun)} s)`, figures)
}
console.log(`\n${secondsSince(started)} s in all`)
if (json) writeFileSync(json, `${JSON.stringify({ machine: machine(), measured }, null, 2)}\n`)
// A connection or a timer that was left open must not keep a finished run alive.
process.exit(0)

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1000)
}

function parseCommandLine() {
  try {
    const options = {
      json: { type: 'string' },
      profile: { type: 'string' },
      long: { type: 'boolean' },
    } as const
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const unknown = positionals.filter((name) => !names.includes(name))
    if (unknown.length > 0)
      throw new Error(`no measurement ${unknown.join(', ')}; there are ${names.join(', ')}`)
    return { ...values, wanted: positionals.length > 0 ? positionals : names }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
}
