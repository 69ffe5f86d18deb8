// Counting: what a suite really did, from the result file it wrote.
import { existsSync, readFileSync } from 'node:fs'

export type Counts = { passed: number; failed: number; skipped: number }
export type SuiteResult = Counts & { suite: string; seconds: number; note?: string }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** A file that could not even be loaded has no tests to fail, and counts as one. */
export function countVitest(report: VitestReport): Counts {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** A test that passed only when it was tried again passed, as far as counting goes. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Counts {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}

/** No result file, or a failing exit with nothing failed in the file: the suite itself broke, which is a failure. */
export function readCounts<Report>(
  file: string,
  exitCode: number,
  count: (report: Report) => Counts,
): Counts & { note?: string } {
  if (!existsSync(file))
    return { passed: 0, failed: 1, skipped: 0, note: `ended with code ${exitCode}, no results` }
  const counts = count(JSON.parse(readFileSync(file, 'utf8')) as Report)
  if (exitCode !== 0 && counts.failed === 0) {
    return { ...counts, failed: 1, note: `ended with code ${exitCode} after its tests` }
  }
  return counts
}

export function addUp(results: Counts[]): Counts {
  const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The one line that people and machines look for: `N passed, N failed`. */
export function totalLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

export function formatTable(results: SuiteResult[]): string {
  const width = Math.max(...results.map(({ suite }) => suite.length))
  const cell = (value: number | string, size: number) => String(value).padStart(size)
  const line = (suite: string, ...cells: string[]) => `${suite.padEnd(width)} ${cells.join(' ')}`.trimEnd()
  return [
    line('suite', cell('passed', 7), cell('failed', 7), cell('skipped', 8), cell('seconds', 8)),
    ...results.map(({ suite, passed, failed, skipped, seconds, note }) =>
      line(
        suite,
        cell(passed, 7),
        cell(failed, 7),
        cell(skipped, 8),
        cell(seconds.toFixed(1), 8),
        note ? ` ${note}` : '',
      ),
    ),
  ].join('\n')
}
