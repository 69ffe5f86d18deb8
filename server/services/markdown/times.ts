/** `<time:2026-11-21T10:00+01:00>`, which each client shows in its reader's time zone. */
import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from './escape.ts'

const syntax = /<time:([^>\n]{1,100})>/y

export function addTimes(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('autolink', 'time', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x3c) return false
    syntax.lastIndex = state.pos
    const [whole, given = ''] = syntax.exec(state.src) ?? []
    if (whole === undefined) return false
    if (!silent) state.push('own_html', '', 0).content = timeHtml(given)
    state.pos += whole.length
    return true
  })
}

function timeHtml(given: string): string {
  const time = parseTime(given.trim())
  const text = escapeHtml(given)
  if (time === undefined) return `<span class="timestamp-error">Invalid time format: ${text}</span>`
  return `<time datetime="${new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')}">${text}</time>`
}

/** Milliseconds. A time without a zone is UTC, wherever the server stands. */
function parseTime(text: string): number | undefined {
  const hasZone = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text)
  const isIso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/.test(text)
  const time = /^\d{1,11}$/.test(text)
    ? Number(text) * 1000
    : isIso
      ? Date.parse(`${text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T')}Z`)
      : hasZone
        ? Date.parse(text)
        : Number.NaN
  const year = new Date(time).getUTCFullYear()
  return year >= 0 && year <= 9999 ? time : undefined
}
