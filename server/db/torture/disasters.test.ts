import { describe, expect, test } from 'vitest'
import { failAtEveryCall, faults, killAtEveryChange, losePower } from './disasters.ts'

// Short forms; `npm run torture` does the same for longer, with other seeds.

test('power loss: whatever a disk may legally hold, what was acknowledged is there', async () => {
  const { states, promised } = await losePower(400, 1)
  expect(states).toBe(400)
  expect(promised).toBeGreaterThan(300)
}, 60_000)

test('power loss after errors of the disk, some of which hide what never reached it', async () => {
  const { promised } = await losePower(400, 2, true)
  expect(promised).toBeGreaterThan(300)
}, 60_000)

test('a process killed after any of its writes leaves a file that recovers', async () => {
  const { states, promised } = await killAtEveryChange(3, 12)
  expect(states).toBeGreaterThan(100)
  expect(promised).toBeGreaterThan(50)
}, 60_000)

describe('a disk that fails at any call', () => {
  test.each(Object.keys(faults) as (keyof typeof faults)[])(
    '%s: nothing wrong is said, nothing is lost, and work goes on afterwards',
    async (name) => {
      const { sessions } = await failAtEveryCall(name, 5, 8, 8)
      expect(sessions).toBeGreaterThan(10)
    },
    60_000,
  )
})
