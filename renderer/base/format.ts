// How numbers, sizes and times read on every page.

const counts = new Intl.NumberFormat('en')
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export function formatCount(value: number): string {
  return counts.format(value)
}

/** `1 user`, `1,200 users`. */
export function formatQuantity(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

export function formatRate(value: number): string {
  if (value === 0) return '0'
  return value < 10 && !Number.isInteger(value) ? value.toFixed(1) : formatCount(Math.round(value))
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  // 1023.95 would print as "1024 KB"; move on to the next unit before that.
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** A length of time in at most two units: `42 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`. */
export function formatDuration(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  if (s < 60) return `${s} s`
  if (s < 3600) return join(Math.floor(s / 60), 'min', s % 60, 's')
  if (s < 86_400) return join(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min')
  return join(Math.floor(s / 86_400), 'd', Math.floor((s % 86_400) / 3600), 'h')
}

function join(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`
}

/** How long ago in one unit; the two clocks may differ a little, so the near future is "just now" too. */
export function formatAgo(then: number, now: number): string {
  const s = Math.floor(now - then)
  if (s < 2) return 'just now'
  if (s < 60) return `${s} s ago`
  if (s < 3600) return `${Math.floor(s / 60)} min ago`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`
  if (s < 14 * 86_400) return `${Math.floor(s / 86_400)} d ago`
  return formatDate(then)
}

export function formatDate(seconds: number): string {
  return dates.format(seconds * 1000)
}

export function formatMoment(seconds: number): string {
  return moments.format(seconds * 1000)
}

export function formatClock(milliseconds: number): string {
  return clocks.format(milliseconds)
}

/** The initials on an avatar: first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = [...(words[0] ?? '?')][0] ?? '?'
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

/** Without case and accents, so that "zoe" finds "Zoë". */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}
