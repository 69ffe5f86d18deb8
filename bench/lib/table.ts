import type { Figure } from './figures.ts'

const heads = ['', 'Parley', 'bare node', 'ratio']

export function printTable(heading: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ name, unit, parley, bare }) => [
    unit === '/s' ? `${name} per second` : `${name}, ${unit}`,
    show(parley),
    show(bare),
    show(parley / bare),
  ])
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  console.log(`\n${heading}`)
  for (const row of [heads, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(Math.max(widths[column] ?? 0, 10)),
    )
    console.log(`  ${cells.join('  ')}`)
  }
}

/** Three digits that count; more would be noise. */
const show = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString(
        'en',
        value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
      )
