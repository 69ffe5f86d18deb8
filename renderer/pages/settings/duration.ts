// Lengths of time as people set them: a number and a unit, or no limit.

export const units = [
  { value: 'minutes', label: 'minutes', seconds: 60 },
  { value: 'hours', label: 'hours', seconds: 3600 },
  { value: 'days', label: 'days', seconds: 86_400 },
] as const

export type Unit = (typeof units)[number]['value']

export interface Duration {
  amount: number
  unit: Unit
}

/** In the largest unit that it is whole in. */
export function durationOf(seconds: number): Duration {
  const unit = units.findLast((one) => seconds % one.seconds === 0) ?? units[0]
  // Odd seconds, which only other clients set: to the nearest minute, and never none.
  return { amount: Math.max(1, Math.round(seconds / unit.seconds)), unit: unit.value }
}

export function secondsOf({ amount, unit }: Duration): number {
  return amount * (units.find(({ value }) => value === unit) ?? units[0]).seconds
}

/** What the server can keep. */
export const MAX_SECONDS = 2_147_483_647
