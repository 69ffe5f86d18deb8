/** What changed between two pieces of HTML, word by word. */

/** Past this many comparisons the changed stretch is shown as replaced as a whole. */
const MAX_COMPARISONS = 4_000_000

type Change = 'same' | 'inserted' | 'deleted'

/**
 * The newer HTML with what was inserted and deleted marked by spans of the classes `highlight_text_inserted` and
 * `highlight_text_deleted`. Words and the space between them are compared; of tags only the newer are kept, so that
 * the result is as well formed as the newer HTML.
 */
export function diffHtml(older: string, newer: string): string {
  const [before, after] = [pieces(older), pieces(newer)]
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let [endBefore, endAfter] = [before.length, after.length]
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--
    endAfter--
  }
  const changed = compare(before.slice(start, endBefore), after.slice(start, endAfter))
  return [...after.slice(0, start), ...mark(changed), ...after.slice(endAfter)].join('')
}

/** Tags, words, and what stands between words. */
const pieces = (html: string): string[] => html.match(/<[^>]*>|&[#\w]+;|[\p{L}\p{N}_]+|\s+|[^]/gu) ?? []

const isTag = (piece: string): boolean => piece.startsWith('<')

/** The longest common subsequence, by its table of lengths. */
function compare(before: readonly string[], after: readonly string[]): [Change, string][] {
  const [rows, columns] = [before.length + 1, after.length + 1]
  if (rows * columns > MAX_COMPARISONS) {
    return [...before.map((piece) => ['deleted', piece] as [Change, string]), ...inserted(after)]
  }
  const lengths = new Uint16Array(rows * columns)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * columns + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * columns + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * columns + j] ?? 0, lengths[i * columns + j + 1] ?? 0)
    }
  }
  const changes: [Change, string][] = []
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      changes.push(['same', after[j++] ?? ''])
      i++
    } else if ((lengths[(i + 1) * columns + j] ?? 0) >= (lengths[i * columns + j + 1] ?? 0)) {
      changes.push(['deleted', before[i++] ?? ''])
    } else {
      changes.push(['inserted', after[j++] ?? ''])
    }
  }
  for (; i < before.length; i++) changes.push(['deleted', before[i] ?? ''])
  return [...changes, ...inserted(after.slice(j))]
}

const inserted = (some: readonly string[]): [Change, string][] => some.map((piece) => ['inserted', piece])

function mark(changes: readonly [Change, string][]): string[] {
  const parts: string[] = []
  let open: Change = 'same'
  const turnTo = (change: Change) => {
    if (change === open) return
    if (open !== 'same') parts.push('</span>')
    if (change !== 'same') parts.push(`<span class="highlight_text_${change}">`)
    open = change
  }
  for (const [change, piece] of changes) {
    if (isTag(piece)) {
      if (change === 'deleted') continue
      turnTo('same')
    } else {
      turnTo(change)
    }
    parts.push(piece)
  }
  turnTo('same')
  return parts
}
