// Ends sessions in every way a process, a machine or a disk can end them, and looks at what is left.
import type { FileCalls } from '../file-calls.ts'
import { Random } from './random.ts'
import { assertWhole, examine, open, Session } from './session.ts'
import { losses, SimulatedDisk } from './simulated-disk.ts'

export interface Outcome {
  /** Sessions that were recorded. */
  sessions: number
  /** States of the disk that were opened and examined. */
  states: number
  /** Those that had to hold something that was acknowledged. */
  promised: number
}

const none = (): Outcome => ({ sessions: 0, states: 0, promised: 0 })

/**
 * Takes the power from sessions at random moments.
 * @param withErrors whether they meet errors of the disk before that, and start with what a killed process left
 */
export async function losePower(states: number, seed: number, withErrors = false): Promise<Outcome> {
  const outcome = none()
  const random = new Random(seed)
  while (outcome.states < states) {
    const disk = withErrors ? await killedDisk(random) : new SimulatedDisk()
    const session = new Session(disk, random.below(2 ** 31))
    if (withErrors) {
      const code = random.pick(['EIO', 'ENOSPC'])
      const { calls, after } = random.pick(faultyCalls)
      disk.fault = { after: random.below(after), code, lasting: false, calls }
    }
    await session.run(30)
    outcome.sessions++
    const wanted = Math.min(states - outcome.states, 100)
    for (let i = 0; i < wanted; i++) {
      const point = random.below(disk.changes.length + 1)
      const loss = random.pick(losses)
      const after = new SimulatedDisk(disk.filesAfterPowerLoss(point, loss, random))
      const promised = disk.promisedAt(point)
      await explain(`seed ${seed}, session ${outcome.sessions}, change ${point}, lost ${loss}`, async () => {
        if (i % 10 === 0) await loseAgain(after, promised, random)
        else await examine(after, promised)
      })
      outcome.states++
      if (promised > 0) outcome.promised++
    }
    await session.close()
  }
  return outcome
}

async function killedDisk(random: Random): Promise<SimulatedDisk> {
  const before = new SimulatedDisk()
  const session = new Session(before, random.below(2 ** 31))
  await session.run(random.below(10))
  const disk = new SimulatedDisk(before.files())
  disk.promise(before.promisedAt(Infinity))
  await session.close()
  return disk
}

/** The power may go again while what the first loss left is being recovered, or soon after. */
async function loseAgain(disk: SimulatedDisk, promised: number, random: Random): Promise<void> {
  disk.promise(promised)
  const db = await open(disk)
  assertWhole(db, promised)
  await db.close()
  const session = new Session(disk, random.below(2 ** 31))
  await session.run(3)
  const point = random.below(disk.changes.length + 1)
  const after = disk.filesAfterPowerLoss(point, random.pick(losses), random)
  await examine(new SimulatedDisk(after), Math.max(promised, disk.promisedAt(point)))
  await session.close()
}

/** What a killed process leaves after each of its writes, and after half of it. */
export async function killAtEveryChange(seed: number, steps: number): Promise<Outcome> {
  const outcome = none()
  const disk = new SimulatedDisk()
  const session = new Session(disk, seed)
  await session.run(steps)
  outcome.sessions++
  for (let point = 0; point <= disk.changes.length; point++) {
    const promised = disk.promisedAt(point)
    await explain(`seed ${seed}, change ${point}`, () =>
      examine(new SimulatedDisk(disk.filesAt(point)), promised),
    )
    outcome.states++
    if (promised > 0) outcome.promised++
  }
  await session.close()
  return outcome
}

const set = (...calls: (keyof FileCalls)[]): ReadonlySet<keyof FileCalls> => new Set(calls)
const faultyCalls = [
  { calls: set('write'), after: 400 },
  { calls: set('fsync', 'fdatasync'), after: 60 },
  { calls: null, after: 1000 },
]

export const faults = {
  'the disk is full': { code: 'ENOSPC', lasting: true, calls: set('write') },
  'the disk is full for one write': { code: 'ENOSPC', lasting: false, calls: set('write') },
  'one call fails': { code: 'EIO', lasting: false, calls: null },
  'every call fails': { code: 'EIO', lasting: true, calls: null },
  'the disk becomes read-only': {
    code: 'EROFS',
    lasting: true,
    calls: set('write', 'truncate', 'unlink', 'fsync', 'fdatasync'),
  },
} as const

/** The same session, failing at each of its calls in turn, or at every so manieth. */
export async function failAtEveryCall(
  name: keyof typeof faults,
  seed: number,
  steps: number,
  every = 1,
): Promise<Outcome> {
  const outcome = none()
  const random = new Random(seed)
  const rehearsal = new SimulatedDisk()
  const whole = new Session(rehearsal, seed)
  await whole.run(steps)
  await whole.close()
  const calls = rehearsal.count(faults[name].calls)
  for (let at = 0; at < calls; at += every) {
    const disk = new SimulatedDisk()
    disk.fault = { after: at, ...faults[name] }
    const session = new Session(disk, seed)
    await explain(`${name}: seed ${seed}, call ${at}`, async () => {
      await session.run(steps)
      if (disk.failures === 0) return
      const promised = disk.promisedAt(Infinity)
      await examine(new SimulatedDisk(disk.files()), promised)
      const after = disk.filesAfterPowerLoss(disk.changes.length, random.pick(losses), random)
      await examine(new SimulatedDisk(after), promised)
      disk.fault = null
      await session.recover()
      await session.run(3)
      await session.recover()
      await session.close()
      await examine(new SimulatedDisk(disk.files()), disk.promisedAt(Infinity))
      outcome.sessions++
      outcome.states += 3
      if (promised > 0) outcome.promised += 3
    })
  }
  return outcome
}

async function explain(place: string, look: () => Promise<unknown>): Promise<void> {
  try {
    await look()
  } catch (error) {
    throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
