// `npm run torture`: the tests of storage and events in their long form, with a table of what was tried. `-- 7` takes another seed
// than today's, `-- 7 kill` only what has that word in its name.
import { spawnSync } from 'node:child_process'
import { failAtEveryCall, faults, killAtEveryChange, losePower } from '../server/db/torture/disasters.ts'
import { killUnderLoad } from '../server/db/torture/kill.ts'

const [seedWord, only = ''] = process.argv.slice(2)
const seed = seedWord ? Number(seedWord) : Math.floor(Date.now() / 86_400_000)
if (!Number.isInteger(seed)) {
  console.error('A seed is a whole number.')
  process.exit(2)
}

const states = (what: { sessions: number; states: number; promised: number }): string =>
  `${what.states} states of ${what.sessions} sessions, ${what.promised} of which had to hold something`

const trials: Record<string, () => Promise<string>> = {
  'power loss': async () => states(await losePower(10_000, seed)),
  'power loss after errors of the disk': async () => states(await losePower(10_000, seed, true)),
  'process killed after each write': async () => states(await killAtEveryChange(seed, 60)),
  ...Object.fromEntries(
    Object.keys(faults).map((name) => [
      `fault: ${name}`,
      async () => states(await failAtEveryCall(name as keyof typeof faults, seed, 12)),
    ]),
  ),
  'kill -9 of the server under 16 writers': async () => {
    const result = await killUnderLoad(200, seed, [50, 1000], (round) => {
      if (round % 20 === 0) console.error(`  ${round} kills`)
    })
    return (
      `${result.rounds} kills, ${result.acknowledged} writes acknowledged (${result.uploads} uploads; ` +
      `${result.delivered} scheduled messages sent); of ${result.cutOff} cut off, ` +
      `${result.cutOffButThere} were there; slowest start ${result.slowestStart} ms`
    )
  },
}

trials['converge: clients that follow the events, over 1000 random sequences of operations'] = async () => {
  const { status } = spawnSync('npx', ['vitest', 'run', 'server/test/converge.test.ts'], {
    env: { ...process.env, PARLEY_SEQUENCES: '1000', PARLEY_SEED: String(seed) },
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('a client was not told everything, see above')
  return 'each client ended with what the server tells anew'
}

console.log(`seed ${seed}\n\n| tried | outcome | seconds |\n|---|---|---|`)
let failed = 0
for (const [name, attempt] of Object.entries(trials)) {
  if (!name.includes(only)) continue
  const began = performance.now()
  const outcome = await attempt().catch((error: unknown) => {
    failed++
    return `FAILED: ${error instanceof Error ? error.message : String(error)}`
  })
  console.log(`| ${name} | ${outcome} | ${Math.round((performance.now() - began) / 1000)} |`)
}
process.exit(failed > 0 ? 1 : 0)
