import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addUp, countPlaywright, countVitest, readCounts, totalLine } from './results.ts'

const vitestReport = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [],
}

function writeReport(report: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('a test file that could not be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
    { status: 'passed', assertionResults: [{}] },
  ]
  expect(countVitest({ ...vitestReport, testResults })).toEqual({ passed: 5, failed: 2, skipped: 3 })
})

test('errors outside of any browser test count as failures', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 4, failed: 2, skipped: 2 })
})

test('a suite that wrote no results failed, whatever it exited with', () => {
  expect(readCounts('/nowhere/at/all.json', 0, countVitest)).toMatchObject({ passed: 0, failed: 1 })
})

test('a failing exit after passed tests is a failure too', () => {
  const file = writeReport({ ...vitestReport, numFailedTests: 0 })
  expect(readCounts(file, 1, countVitest)).toMatchObject({ passed: 5, failed: 1 })
  expect(readCounts(file, 0, countVitest)).toMatchObject({ passed: 5, failed: 0 })
})

test('the last line adds up all suites and names what was skipped', () => {
  const total = addUp([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 2 },
  ])
  expect(totalLine(total)).toBe('7 passed, 1 failed, 2 skipped')
  expect(totalLine({ ...total, skipped: 0 })).toBe('7 passed, 1 failed')
})
