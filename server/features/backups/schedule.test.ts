import { describe, expect, test } from 'vitest'
import { dueBackup, kindOf, outdatedBackups } from './schedule.ts'

const noon = (day: string): Date => new Date(`${day}T12:00:00`)
const daily = (day: string): string => `daily-${day}.parley-backup`
const weekly = (day: string): string => `weekly-${day}.parley-backup`

test('what is a backup, and what is not', () => {
  expect(kindOf(daily('2026-11-05'))).toBe('daily')
  expect(kindOf(weekly('2026-11-05'))).toBe('weekly')
  expect(kindOf('manual-2026-11-05-101112.parley-backup')).toBe('manual')
  expect(kindOf('Before the move.parley-backup')).toBe('manual')
  expect(kindOf('before-migration-1-to-2.db')).toBe('before-migration')
  for (const name of [
    '../parley.db',
    '..',
    '',
    '/etc/passwd',
    'a/b.parley-backup',
    'a\\b.parley-backup',
    '.hidden.parley-backup',
    '.daily-2026-11-05.parley-backup.1234abcd.partial',
    '\0.parley-backup',
    'parley.db',
    'before-migration-1-to-2.db/..',
  ]) {
    expect(kindOf(name), `${name}`).toBeNull()
  }
})

describe('an automatic backup is due', () => {
  const keep = { daily: 7, weekly: 4 }

  test('once a day', () => {
    expect(dueBackup([], keep, noon('2026-11-05'))).toBe(daily('2026-11-05'))
    expect(dueBackup([daily('2026-11-04')], keep, noon('2026-11-05'))).toBe(daily('2026-11-05'))
    expect(dueBackup([daily('2026-11-05')], keep, noon('2026-11-05'))).toBeNull()
    expect(dueBackup([daily('2026-11-05')], keep, new Date('2026-11-06T00:00:30'))).toBe(daily('2026-11-06'))
  })

  test('whatever else is in the folder', () => {
    const others = ['manual-2026-11-05-101112.parley-backup', 'before-migration-1-to-2.db', 'notes.txt']
    expect(dueBackup(others, keep, noon('2026-11-05'))).toBe(daily('2026-11-05'))
  })

  test('also when the clock was ahead once, or is set back', () => {
    expect(dueBackup([daily('2030-01-01')], keep, noon('2026-11-05'))).toBe(daily('2026-11-05'))
    const both = [daily('2030-01-01'), daily('2026-11-05')]
    expect(dueBackup(both, keep, noon('2026-11-05'))).toBeNull()
    expect(dueBackup(both, keep, noon('2026-11-04'))).toBe(daily('2026-11-04'))
  })

  test('once a week where no daily ones are wanted, and never where none are', () => {
    const keepWeekly = { daily: 0, weekly: 4 }
    expect(dueBackup([], keepWeekly, noon('2026-11-05'))).toBe(weekly('2026-11-05'))
    expect(dueBackup([weekly('2026-11-05')], keepWeekly, noon('2026-11-11'))).toBeNull()
    expect(dueBackup([weekly('2026-11-05')], keepWeekly, noon('2026-11-12'))).toBe(weekly('2026-11-12'))
    expect(dueBackup([], { daily: 0, weekly: 0 }, noon('2026-11-05'))).toBeNull()
  })
})

describe('of many days', () => {
  /** Runs a server from day to day. @returns the names that are left */
  function live(days: number, retention: { daily: number; weekly: number }, first = '2026-01-01'): string[] {
    let names: string[] = []
    for (let day = 0; day < days; day++) {
      const now = noon(first)
      now.setDate(now.getDate() + day)
      const due = dueBackup(names, retention, now)
      if (due) names.push(due)
      const { rename, remove } = outdatedBackups(names, retention, now)
      names = names.map((name) => rename.find(({ from }) => from === name)?.to ?? name)
      names = names.filter((name) => !remove.includes(name))
      expect(new Set(names).size).toBe(names.length)
    }
    return names.toSorted()
  }

  test('seven daily and four weekly ones are left', () => {
    expect(live(60, { daily: 7, weekly: 4 })).toEqual([
      ...[
        '2026-02-23',
        '2026-02-24',
        '2026-02-25',
        '2026-02-26',
        '2026-02-27',
        '2026-02-28',
        '2026-03-01',
      ].map(daily),
      ...['2026-01-29', '2026-02-05', '2026-02-12', '2026-02-19'].map(weekly),
    ])
  })

  test('as many as are wanted', () => {
    expect(live(30, { daily: 3, weekly: 0 })).toEqual(['2026-01-28', '2026-01-29', '2026-01-30'].map(daily))
    expect(live(30, { daily: 0, weekly: 2 })).toEqual(['2026-01-22', '2026-01-29'].map(weekly))
    expect(live(30, { daily: 0, weekly: 0 })).toEqual([])
  })

  test('over the change to summer time and back', () => {
    expect(live(20, { daily: 3, weekly: 1 }, '2026-03-20')).toHaveLength(4)
    expect(live(20, { daily: 3, weekly: 1 }, '2026-10-20')).toHaveLength(4)
  })
})

describe('nothing is removed', () => {
  const keep = { daily: 1, weekly: 1 }

  test('that was not made automatically', () => {
    const names = ['manual-2020-01-01-000000.parley-backup', 'before-migration-1-to-2.db', 'daily-report.txt']
    expect(outdatedBackups(names, keep, noon('2026-11-05'))).toEqual({ rename: [], remove: [] })
  })

  test('for its age alone', () => {
    const names = [daily('2020-01-01'), weekly('2019-12-01')]
    expect(outdatedBackups(names, keep, noon('2026-11-05'))).toEqual({ rename: [], remove: [] })
  })

  test('that seems to be of the future, nor does it count', () => {
    const names = [daily('2030-01-01'), daily('2030-01-02'), daily('2026-11-05')]
    expect(outdatedBackups(names, keep, noon('2026-11-05'))).toEqual({ rename: [], remove: [] })
  })

  test('of a kind that was switched off', () => {
    const names = [daily('2026-11-01'), daily('2026-11-02'), weekly('2026-10-01'), weekly('2026-10-08')]
    const off = { daily: 0, weekly: 0 }
    expect(outdatedBackups(names, off, noon('2026-11-05'))).toEqual({ rename: [], remove: [] })
  })
})
