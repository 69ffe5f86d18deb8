/** When automatic backups are due, which ones are kept, and what the names of backups mean. */

export interface Retention {
  /** How many daily backups are kept; 0 makes none. */
  daily: number
  /** How many weekly backups are kept beyond those. */
  weekly: number
}

export type BackupKind = 'daily' | 'weekly' | 'manual' | 'before-migration'

const AUTOMATIC = /^(daily|weekly)-(\d{4}-\d\d-\d\d)\.parley-backup$/
const MIGRATION = /^before-migration-\d+-to-\d+\.db$/
const ARCHIVE = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,120}\.parley-backup$/

/** What a file in the folder of backups is; null for what is none, whatever it may be. */
export function kindOf(name: string): BackupKind | null {
  const automatic = AUTOMATIC.exec(name)?.[1]
  if (automatic === 'daily' || automatic === 'weekly') return automatic
  if (MIGRATION.test(name)) return 'before-migration'
  return ARCHIVE.test(name) ? 'manual' : null
}

/** The name of the automatic backup to be made now, or null. */
export function dueBackup(names: readonly string[], { daily, weekly }: Retention, now: Date): string | null {
  const today = dayOf(now)
  const days = automaticOf(names)
    .map(({ day }) => day)
    // One from the future was made while the clock was wrong; it must not keep today's from being made.
    .filter((day) => day <= today)
  const newest = days.toSorted().at(-1)
  if (daily > 0) return newest === today ? null : `daily-${today}.parley-backup`
  if (weekly === 0) return null
  return newest !== undefined && daysBetween(newest, today) < 7 ? null : `weekly-${today}.parley-backup`
}

/**
 * What becomes of automatic backups that are too many: the oldest daily one becomes a weekly one where there is none
 * of the seven days before it. Counted and never by age, so that a wrong clock removes nothing; and those of the
 * future are left alone.
 */
export function outdatedBackups(
  names: readonly string[],
  { daily, weekly }: Retention,
  now: Date,
): { rename: { from: string; to: string }[]; remove: string[] } {
  const today = dayOf(now)
  const past = automaticOf(names)
    .filter(({ day }) => day <= today)
    .toSorted((a, b) => a.day.localeCompare(b.day))
  // Switched off, it makes none and removes none.
  const dailies = past.filter(({ kind }) => kind === 'daily')
  const tooMany = daily === 0 ? [] : dailies.slice(0, Math.max(0, dailies.length - daily))
  const weeklies = past.filter(({ kind }) => kind === 'weekly')
  const rename: { from: string; to: string }[] = []
  const remove: string[] = []
  for (const one of tooMany) {
    const isCovered = weeklies.some(({ day }) => Math.abs(daysBetween(day, one.day)) < 7)
    if (weekly === 0 || isCovered) {
      remove.push(one.name)
      continue
    }
    const to = `weekly-${one.day}.parley-backup`
    rename.push({ from: one.name, to })
    weeklies.push({ name: to, kind: 'weekly', day: one.day })
  }
  if (weekly > 0) {
    const ordered = weeklies.toSorted((a, b) => a.day.localeCompare(b.day))
    remove.push(...ordered.slice(0, Math.max(0, ordered.length - weekly)).map(({ name }) => name))
  }
  return {
    rename: rename.filter(({ to }) => !remove.includes(to)),
    remove: remove.map((name) => original(name)),
  }

  /** One that is not kept even under its new name goes under its old one. */
  function original(name: string): string {
    return rename.find(({ to }) => to === name)?.from ?? name
  }
}

function automaticOf(names: readonly string[]): { name: string; kind: 'daily' | 'weekly'; day: string }[] {
  return names.flatMap((name) => {
    const [, kind, day = ''] = AUTOMATIC.exec(name) ?? []
    return kind === 'daily' || kind === 'weekly' ? [{ name, kind, day }] : []
  })
}

/** `2026-11-05`, as the calendar on the wall shows it. */
export function dayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
