/** What a file of `bench/` exports. */
export interface Measurement {
  /** What is measured, for the heading of its table. */
  title: string
  measure: () => Promise<Figure[]>
}

export interface Figure {
  name: string
  unit: '/s' | 'ms' | 'µs' | 'MB' | 'kB'
  parley: number
  bare: number
}

/** Sorts in place. @param share such as 0.99; 0 answers the smallest */
export function quantile(values: number[], share: number): number {
  values.sort((a, b) => a - b)
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
}

export const median = (values: number[]): number => quantile(values, 0.5)
