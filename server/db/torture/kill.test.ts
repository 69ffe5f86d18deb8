import { expect, test } from 'vitest'
import { killUnderLoad } from './kill.ts'

test('what sixteen writers were told is saved is there after kill -9, whole', async () => {
  const { rounds, acknowledged, uploads, delivered } = await killUnderLoad(5, 1, [500, 2000], () => {}, 20)
  expect(rounds).toBe(5)
  expect(acknowledged).toBeGreaterThanOrEqual(100)
  expect(uploads).toBeGreaterThan(0)
  expect(delivered).toBeGreaterThan(0)
}, 120_000)
