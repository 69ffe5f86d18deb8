import { expect, test } from 'vitest'
import { durationOf, secondsOf } from './duration.ts'

test('a length of time is shown in the largest unit that it is whole in', () => {
  expect(durationOf(600)).toEqual({ amount: 10, unit: 'minutes' })
  expect(durationOf(7200)).toEqual({ amount: 2, unit: 'hours' })
  expect(durationOf(5400)).toEqual({ amount: 90, unit: 'minutes' })
  expect(durationOf(7 * 86_400)).toEqual({ amount: 7, unit: 'days' })
  expect(durationOf(25)).toEqual({ amount: 1, unit: 'minutes' })
})

test('and back', () => {
  for (const seconds of [60, 600, 5400, 7200, 86_400, 604_800])
    expect(secondsOf(durationOf(seconds))).toBe(seconds)
})
