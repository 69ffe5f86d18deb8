/** `$$inline$$` formulas, and the setting of formulas in blocks. */
import katex from 'katex'
import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from './escape.ts'
import { type Rendering, renderingOf } from './rendering.ts'

export function addMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', (state, silent) => {
    const { src, pos } = state
    if (!src.startsWith('$$', pos) || src.charCodeAt(pos + 2) === 0x24) return false
    const end = src.indexOf('$$', pos + 2)
    const source = end === -1 ? '' : src.slice(pos + 2, end)
    if (source.trim() === '' || source.includes('\n')) {
      // A lone pair of dollars is text, and is not tried again at its second half.
      if (!silent) state.pending += '$$'
      state.pos += 2
      return true
    }
    if (!silent) state.push('own_html', '', 0).content = mathHtml(source, renderingOf(state), false)
    state.pos = end + 2
    return true
  })
}

/** What each formula costs beside its characters. */
const COST_OF_ONE = 10

/** A formula as HTML, or its source where it cannot be set or the message holds too much of them. */
export function mathHtml(source: string, rendering: Rendering, isDisplay: boolean): string {
  const trimmed = source.trim()
  const cost = trimmed.length + COST_OF_ONE
  if (cost > rendering.mathLeft) return unset(trimmed, 'There are too many formulas in this message')
  rendering.mathLeft -= cost
  try {
    return katex.renderToString(trimmed, {
      displayMode: isDisplay,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 100,
      maxSize: 10,
    })
  } catch (error) {
    // Nesting that overflows the stack ends here as well.
    const reason = error instanceof katex.ParseError ? error.rawMessage : 'This formula cannot be set'
    return unset(trimmed, reason)
  }
}

const unset = (source: string, reason: string): string =>
  `<span class="katex-error" title="${escapeHtml(reason)}">${escapeHtml(source)}</span>`
