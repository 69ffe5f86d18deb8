import { expect, test } from 'vitest'
import { killUnderLoad } from './kill.ts'

test('what sixteen writers were told is saved is there after kill -9, whole', async () => {
  const { rounds, acknowledged } = await killUnderLoad(5, 1, [500, 2000])
  expect(rounds).toBe(5)
  expect(acknowledged).toBeGreaterThan(50)
}, 120_000)
